// Whether a tap that waited for others still means what it meant when it was tapped.

import { say } from "../words.js";
import { isSame } from "./actions.js";

/** Kinds of events that speak of others by their number. */
const NUMBERED = new Set(["undo", "amend", "annotate", "reveal"]);

/**
 * Why a person has to be asked about it again; null where it can be sent as it is: the service judges it.
 * @param {Tap} tap
 * @param {Pick<import("./table.js").Table, "version" | "now" | "game">} table  as those before it have left it
 * @returns {Refusal | null}
 */
export function misfit(tap, { version, now, game }) {
  // What is to be recorded at another version is refused by the service, and then told with what others did.
  if (tap.base !== version) return null;
  const { body, offered, foreseen } = tap;
  if (NUMBERED.has(body.type) && foreseen !== undefined && foreseen !== version + 1)
    return changed(say("The record changed before this tap arrived."));
  if (offered === undefined) return null;
  const entry = [...now.actions, ...(now.possible ?? [])].find((one) => isSame(one, body));
  if (entry && entry.label !== offered) return changed(say("It would now be: {what}.", { what: entry.label }));
  // A record as played takes what the rules forbid, too: that has to be meant.
  if (!entry && game.mode === "as_played")
    return changed(say("The rules no longer allow it after the newly recorded events."));
  return null;
}

/** @param {string} detail @returns {Refusal} */
function changed(detail) {
  return { type: "", title: say("A queued tap is no longer possible"), status: 0, detail, slug: "no-longer-fits" };
}
