// What a correction brings, in a player's words: what stands, and what does not fit any more.

import { h } from "../ui.js";

/** @type {Record<string, string>} */
const EFFECTS = { now_illegal: "would be against the rules", outcome_impossible: "could not have come up" };

/** Those that do not fit any more. @param {Impact[] | null} impact */
export function broken(impact) {
  return (impact ?? []).filter((one) => EFFECTS[one.effect]);
}

/**
 * What becomes of the events that follow; `impact` is null where that hangs on what the service has still to draw.
 * @param {Impact[] | null} impact
 */
export function consequence(impact) {
  if (impact === null) return "The service draws what comes up: what that changes shows then.";
  const [all, lost] = [impact.length, broken(impact).length];
  if (all === 0) return "Nothing follows it.";
  if (lost === 0) return all === 1 ? "The event after it stands." : `The ${all} events after it stand.`;
  if (all === 1) return "The event after it does not fit any more:";
  return `${lost} of the ${all} events after it ${lost === 1 ? "does" : "do"} not fit any more:`;
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
            ` ${table.story[one.seq - 1]?.sentence ?? `Event ${one.seq}`}`,
            one.reason && h("span", { class: "note" }, one.reason),
          ),
        ),
      ),
      h("p", {}, "If you go on they stay in the record, marked."),
    ],
  );
}
