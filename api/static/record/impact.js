// The impact of a correction, in words: which later events stay possible, and which do not.

import { h, isShown } from "../ui.js";
import { say } from "../words.js";

/** @type {Record<string, string>} */
const EFFECTS = {
  now_illegal: say("would be against the rules"),
  outcome_impossible: say("would be impossible"),
};

/** The later events that are no longer possible. @param {Impact[] | null} impact */
export function brokenEvents(impact) {
  return (impact ?? []).filter((one) => EFFECTS[one.effect]);
}

/**
 * The impact on later events; `impact` is null if it depends on a result that the service has not drawn yet.
 * @param {Impact[] | null} impact
 */
function consequence(impact) {
  if (impact === null) return say("The service draws the result. You see its effect afterwards.");
  const [all, lost] = [impact.length, brokenEvents(impact).length];
  if (all === 0) return say("No later events.");
  if (lost === 0)
    return all === 1
      ? say("The next event is unaffected.")
      : say("The {count} later events are unaffected.", { count: all });
  if (all === 1) return say("The next event is no longer possible:");
  return lost === 1
    ? say("1 of the {count} later events is no longer possible:", { count: all })
    : say("{lost} of the {count} later events are no longer possible:", { lost, count: all });
}

/**
 * The two ways to record a correction that breaks later events: as the players continued, or by the rules.
 * @param {Impact[] | null} impact
 * @param {(removed: number[]) => void} send  records the correction, and removes these later events
 * @param {import("./slip.js").Explanation} [skipped]  the step that the players skipped if they continued
 */
export function ways(impact, send, skipped) {
  const lost = brokenEvents(impact).map((one) => one.seq);
  const way = (
    /** @type {string} */ label,
    /** @type {string} */ text,
    /** @type {number[]} */ removed,
    isMain = false,
  ) =>
    h(
      "button",
      { type: "button", class: `button large block way ${isMain ? "primary" : ""}`, onclick: () => send(removed) },
      h("span", {}, label, h("small", {}, text)),
    );
  const removes =
    lost.length === 1 ? say("Removes 1 later event.") : say("Removes {count} later events.", { count: lost.length });
  return [
    way(
      say("The players continued"),
      skipped?.message ?? say("Later events stay, but are marked as broken."),
      [],
      true,
    ),
    lost.length > 0 && way(say("Replay by the rules"), removes, lost),
  ].filter(isShown);
}

/** The event that removes an impossible event. @param {number} seq @returns {NewEvent} */
export function removal(seq) {
  return { type: "amend", actor: null, params: { seq, remove: true, accept_broken: true } };
}

/**
 * The impact, with each impossible event and the reason.
 * @param {import("./table.js").Table} table
 * @param {Impact[] | null} impact
 * @param {Child} [change]  a description of the change, shown first
 */
export function impactElement(table, impact, change) {
  const lost = brokenEvents(impact);
  return h(
    "div",
    { class: `impact notice ${lost.length ? "bad" : impact ? "good" : ""}` },
    h("p", {}, change && h("strong", {}, change), change && " ", consequence(impact)),
    lost.length > 0 && [
      h(
        "ul",
        { class: "plain" },
        lost.map((one) =>
          h(
            "li",
            {},
            h("span", { class: "chip bad" }, EFFECTS[one.effect]),
            ` ${table.story[one.seq - 1]?.sentence ?? say("Event {event}", { event: one.seq })}`,
            one.reason && h("span", { class: "note" }, one.reason),
          ),
        ),
      ),
    ],
  );
}
