// Cards and dice in an audit: actual results beside the expected ones.

import { h } from "../ui.js";
import { language, say } from "../words.js";

/**
 * Return a table with row names in the first column and numbers in the others; `cells` returns the row of an item.
 * @template Item
 * @param {string} name
 * @param {string[]} columns
 * @param {Item[]} items
 * @param {(item: Item) => [string, ...(string | number)[]]} cells
 */
function table(name, columns, items, cells) {
  return h(
    "div",
    { class: "table-wrap", tabindex: 0, role: "group", "aria-label": name },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column, index) => h("th", { scope: "col", class: index ? "number" : null }, column)),
        ),
      ),
      h(
        "tbody",
        {},
        items.map((item) => {
          const [first, ...rest] = cells(item);
          return h(
            "tr",
            {},
            h("th", { scope: "row" }, first),
            rest.map((cell) => h("td", { class: "number" }, String(cell))),
          );
        }),
      ),
    ),
  );
}

/** From this chance on, a difference stands out: as `RARE` in engine/review/luck.py. */
const RARE = 0.05;

/**
 * Return the section on cards and dice: unusual kinds first, the others behind a summary.
 * @param {Audit["luck"]} found
 */
export function luck(found) {
  if (!found || found.kinds.length === 0) return null;
  const columns = [say("Result"), say("Count"), say("Expected"), say("Chance of this difference")];
  /** @param {{adjusted: number | null}} value */
  const isRare = ({ adjusted }) => adjusted !== null && adjusted < RARE;
  /** @param {typeof found.kinds[number]} kind */
  const shown = (kind) =>
    h(
      "details",
      { class: "card" },
      h("summary", {}, kind.message),
      table(kind.message, columns, kind.values, (value) => [
        value.label,
        value.count,
        value.expected.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
        value.adjusted === null ? say("too few to tell") : percent(value.adjusted),
      ]),
    );
  const unusual = found.kinds.filter((kind) => kind.values.some(isRare));
  const usual = found.kinds.filter((kind) => !kind.values.some(isRare));
  return h(
    "section",
    { class: "box luck" },
    h("h2", {}, say("Cards and dice")),
    h("p", {}, found.message),
    ...unusual.map(shown),
    usual.length > 0 &&
      h("details", {}, h("summary", {}, say("Show draws and rolls")), h("div", { class: "stack" }, usual.map(shown))),
    found.tested > 0 &&
      h(
        "p",
        { class: "soft small" },
        say(
          "Expected: how often a result occurs on average. Chance of this difference: the probability that luck alone causes a difference this large in at least one of the compared results.",
        ),
      ),
  );
}

/** @param {number} p */
function percent(p) {
  return p < 0.01 ? say("less than 1 %") : say("{percent} %", { percent: Math.round(100 * p) });
}
