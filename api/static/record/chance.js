// What came up? Only what can, likeliest first, with its chance.

import { h } from "../ui.js";
import { words } from "./table.js";

/** What stands for "nobody saw it" among the outcomes of an event. */
export const UNSEEN = null;

/** "38 %", "under 1 %". */
export function percent(p) {
  if (p > 0 && p < 0.01) return "under 1 %";
  if (p < 1 && p > 0.99) return "over 99 %";
  return `${Math.round(p * 100)} %`;
}

/** "3 of 8, 38 %". */
function odds(outcome, total) {
  return outcome.count ? `${outcome.count} of ${total}, ${percent(outcome.p)}` : percent(outcome.p);
}

/**
 * The buttons of a question to chance.
 * @param {{name: string, outcomes: object[], may_be_unknown?: boolean}} point
 * @param {(outcome: {value: any, label: string}, button: Element) => void} onPick
 */
export function outcomeButtons(point, onPick) {
  const total = point.outcomes.reduce((sum, outcome) => sum + (outcome.count || 0), 0);
  const sorted = [...point.outcomes].sort(
    (a, b) => b.p - a.p || a.label.localeCompare(b.label, undefined, { numeric: true }),
  );
  const list = h(
    "div",
    { class: `outcomes${isShort(sorted) ? " short" : ""}` },
    sorted.map((outcome) =>
      h(
        "button",
        {
          type: "button",
          class: "button outcome",
          "data-value": JSON.stringify(outcome.value),
          onclick: (event) => onPick(outcome, event.currentTarget),
        },
        h("span", { class: "what" }, outcome.label),
        h("span", { class: "odds number" }, odds(outcome, total)),
      ),
    ),
  );
  if (!point.may_be_unknown) return [list];
  const unseen = { value: UNSEEN, label: "nobody saw it" };
  return [
    list,
    h(
      "button",
      { type: "button", class: "button quiet block", "data-value": "null", onclick: (event) => onPick(unseen, event.currentTarget) },
      "Nobody saw it",
    ),
  ];
}

/** Numbers, and words as short as they: several go into a row. */
function isShort(outcomes) {
  return outcomes.every((outcome) => outcome.label.length <= 3);
}

/** "Which flood card?", "Which flood card is the second?" */
export function question(point) {
  const nth = ["", " is the second", " is the third", " is the fourth", " is the fifth"];
  const place = point.position || 0;
  return `Which ${words(point.name).toLowerCase()}${nth[place] ?? ` is number ${place + 1}`}?`;
}
