// What a correction brings, in a player's words: what stands, and what does not fit any more.

import { h } from "../ui.js";
import { say } from "../words.js";

/** @type {Record<string, string>} */
const EFFECTS = {
  now_illegal: say("would be against the rules"),
  outcome_impossible: say("could not have come up"),
};

/** Those that do not fit any more. @param {Impact[] | null} impact */
export function broken(impact) {
  return (impact ?? []).filter((one) => EFFECTS[one.effect]);
}

/**
 * What becomes of the events that follow; `impact` is null where that hangs on what the service has still to draw.
 * @param {Impact[] | null} impact
 */
export function consequence(impact) {
  if (impact === null) return say("The service draws the result. You see its effect afterwards.");
  const [all, lost] = [impact.length, broken(impact).length];
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
 * The same with what does not fit, and why.
 * @param {import("./table.js").Table} table
 * @param {Impact[] | null} impact
 * @param {Child} [change]  what is changed, said before it
 */
export function impactElement(table, impact, change) {
  const lost = broken(impact);
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
      h("p", {}, say("If you continue, they stay in the record, marked.")),
    ],
  );
}
