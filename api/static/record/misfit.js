// Decide whether a queued tap still means the same as when it was tapped.

import { say } from "../words.js";
import { isSame } from "./actions.js";

/** Event types that refer to others by number. */
const NUMBERED = new Set(["undo", "amend", "annotate", "reveal"]);

/**
 * The reason to ask the user again; null if the tap can be sent unchanged and the service judges it.
 * @param {Tap} tap
 * @param {Pick<import("./table.js").Table, "version" | "now" | "game">} table  after the taps before it
 * @returns {Refusal | null}
 */
export function misfit(tap, { version, now, game }) {
  // The service rejects a tap for an older version; the page then shows what others did.
  if (tap.base !== version) return null;
  const { body, offered, foreseen } = tap;
  if (NUMBERED.has(body.type) && foreseen !== undefined && foreseen !== version + 1)
    return misfitProblem(say("The record changed before this tap arrived."));
  if (offered === undefined) return null;
  const entry = [...now.actions, ...(now.possible ?? [])].find((one) => isSame(one, body));
  if (entry && entry.label !== offered) return misfitProblem(say("This tap now means: {what}.", { what: entry.label }));
  // A record as played accepts illegal actions: make sure that the user means it.
  if (!entry && game.mode === "as_played")
    return misfitProblem(say("The rules no longer allow this action after the newly recorded events."));
  return null;
}

/** @param {string} detail @returns {Refusal} */
function misfitProblem(detail) {
  return { type: "", title: say("A queued tap is no longer possible"), status: 0, detail, slug: "no-longer-fits" };
}
