// The question for a result. Outcomes have fixed places, or the likeliest comes first. Each has its chance.

import { h, tapListener } from "../ui.js";
import { lowerCase, marked, say } from "../words.js";
import { mini, sign } from "./signs.js";

/** The question for each of several draws. */
const WHICH = [
  marked("Which {what}?"),
  marked("Which is the second {what}?"),
  marked("Which is the third {what}?"),
  marked("Which is the fourth {what}?"),
  marked("Which is the fifth {what}?"),
];

/** The value for "unknown" in the outcomes of an event. */
const UNSEEN = null;

/** "38 %", say("less than 1 %"). @param {number} p */
export function percent(p) {
  if (p > 0 && p < 0.01) return say("less than 1 %");
  if (p < 1 && p > 0.99) return say("over 99 %");
  return say("{percent} %", { percent: Math.round(p * 100) });
}

/**
 * A chance such as "3 of 8, 38 %"; in a small space, the first part is only for screen readers.
 * @param {PossibleOutcome} outcome
 * @param {number} total
 */
function odds(outcome, total) {
  const of = outcome.count
    ? h("span", { class: "of" }, `${say("{count} of {total}", { count: outcome.count, total })}, `)
    : null;
  return [of, outcome.p === null ? null : percent(outcome.p)];
}

/** The maximum number of outcomes in fixed places. More become a list, with the likeliest first. */
const MOST_PLACES = 12;

/** @typedef {(outcome: Outcome, button: Element) => void} Pick */

/**
 * The buttons of a question for a result.
 * @param {Point} point
 * @param {Pick} onPick
 * @param {FaceLayout} [layout]  the fixed places of outcomes
 */
export function outcomeButtons(point, onPick, layout) {
  const placed = layout && layout.faces.length <= Math.max(MOST_PLACES, 14) ? faces(point, onPick, layout) : null;
  const rest = placed
    ? point.outcomes.filter(({ value }) => !layout?.faces.some((face) => face.value === value))
    : null;
  const unseen = { value: UNSEEN, label: say("unknown") };
  return [
    ...(placed ? [placed] : []),
    ...(rest?.length === 0 ? [] : [outcomeList(rest ?? point.outcomes, total(point), onPick)]),
    ...(point.may_be_unknown
      ? [
          h(
            "button",
            {
              type: "button",
              class: "button quiet block",
              "data-value": "null",
              onclick: tapListener((button) => onPick(unseen, button)),
            },
            say("Unknown"),
          ),
        ]
      : []),
  ];
}

/** @param {Point} point */
function total(point) {
  return point.outcomes.reduce((sum, outcome) => sum + (outcome.count || 0), 0);
}

/** @param {PossibleOutcome[]} outcomes @param {number} all @param {Pick} onPick */
function outcomeList(outcomes, all, onPick) {
  const sorted = [...outcomes].sort(
    (a, b) => (b.p ?? 0) - (a.p ?? 0) || a.label.localeCompare(b.label, undefined, { numeric: true }),
  );
  return h(
    "div",
    { class: `outcomes${isShort(sorted) ? " short" : ""}` },
    sorted.map((outcome) => outcomeButton(outcome, all, onPick, "", [])),
  );
}

/**
 * @param {PossibleOutcome} outcome
 * @param {number} all
 * @param {Pick} onPick
 * @param {string} kind
 * @param {Child[]} face
 */
function outcomeButton(outcome, all, onPick, kind, face) {
  return h(
    "button",
    {
      type: "button",
      class: `button outcome ${kind}`,
      "data-value": JSON.stringify(outcome.value),
      onclick: tapListener((button) => onPick(outcome, button)),
    },
    face,
    h("span", { class: "what" }, outcome.label),
    h("span", { class: "odds number" }, odds(outcome, all)),
  );
}

/**
 * Each outcome in its own cell; an impossible one leaves its cell empty, so that nothing else moves.
 * @param {Point} point
 * @param {Pick} onPick
 * @param {FaceLayout} layout
 */
function faces(point, onPick, layout) {
  const all = total(point);
  return h(
    "div",
    { class: `faces columns-${layout.columns}${hasCorners(layout) ? " has-corners" : ""}` },
    layout.faces.map((face) => {
      const { symbol, tint, text } = face;
      const cell = `face${face.width > 1 ? ` width-${face.width}` : ""}`;
      const shown =
        text && symbol !== "die" ? h("span", { class: "gust number" }, sign(symbol), text) : mini({ symbol, tint });
      const sides = symbol === "die" ? h("span", { class: "side number" }, text) : shown;
      const outcome = point.outcomes.find(({ value }) => value === face.value);
      const kind = `${cell}${text ? " small" : ""}`;
      const button = outcome
        ? outcomeButton(outcome, all, onPick, kind, [sides])
        : h("span", { class: `${kind} none`, "aria-hidden": "true" }, sides, h("span", { class: "odds" }, say("none")));
      button.style.gridArea = `${face.row} / ${face.column} / auto / span ${face.width}`;
      return button;
    }),
  );
}

/** Return true if two cells are free at both ends of the last row. @param {FaceLayout} layout */
function hasCorners({ columns, faces }) {
  const last = Math.max(...faces.map(({ row }) => row));
  return faces.every(({ row, column, width }) => row < last || (column > 2 && column + width - 1 < columns - 1));
}

/** Return true if all labels are short, like numbers: several fit in a row. @param {Outcome[]} outcomes */
function isShort(outcomes) {
  return outcomes.every((outcome) => outcome.label.length <= 3);
}

/**
 * The question for a result, such as "Which flood card?" or "Which flood card is the second?"
 * @param {Point} point
 * @param {{titles: Record<string, string>}} ruleset
 */
export function question(point, { titles }) {
  const place = point.position || 0;
  return say(WHICH[place] ?? say("Which {what} is number {number}?"), {
    what: lowerCase(titles[point.name]),
    number: place + 1,
  });
}
