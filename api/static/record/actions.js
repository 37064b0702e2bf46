// What may be done now, as buttons: grouped as the rulebook groups them, those who are awaited first.

import { h } from "../ui.js";
import { percent } from "./chance.js";
import { words } from "./table.js";

/** Of a kind that has more, the buttons are folded away under one. */
const MOST_SHOWN = 9;

/**
 * Everything that may be appended, sorted for a table.
 * @param {object} now  the document of `GET actions`
 * @param {string[]} sections  the rulebook's headings, in order
 * @returns {{awaited: object[], others: object[]}}  groups `{rule, actor, kinds}` with kinds `{type, entries, range}`
 */
export function grouped(now, sections) {
  const awaited = new Set(now.awaiting);
  const entries = [
    ...(now.ranges || []).map((range) => ({ ...range, isRange: true })),
    ...now.actions,
    ...(now.possible || []).map((entry) => ({ ...entry, isPossible: true })),
  ];
  const groups = new Map();
  for (const entry of entries) {
    const id = `${entry.actor} ${entry.rule}`;
    if (!groups.has(id)) groups.set(id, { rule: entry.rule, actor: entry.actor, kinds: new Map() });
    const kinds = groups.get(id).kinds;
    if (!kinds.has(entry.type)) kinds.set(entry.type, { type: entry.type, entries: [], range: null });
    if (entry.isRange) kinds.get(entry.type).range = entry;
    else kinds.get(entry.type).entries.push(entry);
  }
  const place = (rule) => (sections.includes(rule) ? sections.indexOf(rule) : sections.length);
  const all = [...groups.values()].sort((a, b) => place(a.rule) - place(b.rule) || compare(a.actor, b.actor));
  const mayAct = (group) => group.actor === null || awaited.has(group.actor);
  return { awaited: all.filter(mayAct), others: all.filter((group) => !mayAct(group)) };
}

function compare(a, b) {
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

/**
 * @param {object} group  as `grouped` makes them
 * @param {{who: string | null, onTap: Function, onRange: Function}} options
 *   `who` stands before the heading where it is not clear whose buttons they are
 */
export function groupElement(group, { who, onTap, onRange }) {
  return h(
    "section",
    { class: "group" },
    h("h3", {}, who && h("span", { class: "who" }, `${who}: `), group.rule),
    [...group.kinds.values()].map((kind) => kindElement(kind, group.rule, { onTap, onRange })),
  );
}

function kindElement(kind, rule, { onTap, onRange }) {
  const lead = commonLead(kind.entries.map((entry) => entry.label));
  const buttons = kind.entries.map((entry) => actionButton(entry, lead, onTap));
  const more =
    kind.range &&
    h(
      "button",
      { type: "button", class: "button action whole", "data-range": kind.type, onclick: () => onRange(kind.range) },
      `${words(kind.type)} …`,
    );
  if (buttons.length > (more ? 0 : MOST_SHOWN)) {
    const many = h("span", { class: "chip number" }, String(buttons.length));
    return h(
      "div",
      { class: "kind" },
      more,
      h(
        "details",
        { class: "fold" },
        h("summary", { class: "button block" }, more ? "Some of them " : `${lead || words(kind.type)} … `, many),
        h("div", { class: "buttons" }, buttons),
      ),
    );
  }
  const isSaid = lead.toLowerCase().startsWith(rule.toLowerCase()) || rule.toLowerCase().includes(lead.toLowerCase());
  return h(
    "div",
    { class: "kind" },
    !isSaid && h("p", { class: "lead-in", "aria-hidden": "true" }, lead),
    h("div", { class: "buttons" }, buttons, more),
  );
}

function actionButton(entry, lead, onTap) {
  const short = lead ? entry.label.slice(lead.length).trim() : entry.label;
  return h(
    "button",
    {
      type: "button",
      class: `button action${lead ? "" : " whole"}${entry.isPossible ? " possible" : ""}`,
      "aria-label": entry.isPossible ? `${entry.label}, perhaps` : lead ? entry.label : null,
      "data-action": JSON.stringify([entry.type, entry.actor, entry.params]),
      onclick: (event) => onTap(entry, event.currentTarget),
    },
    short.charAt(0).toUpperCase() + short.slice(1),
    entry.isPossible && h("span", { class: "chip sand" }, entry.p ? `perhaps, ${percent(entry.p)}` : "perhaps"),
  );
}

/** What all labels begin with, up to a word's end: "Move to" of "Move to Coral Palace" and "Move to Iron Gate". */
function commonLead(labels) {
  if (labels.length < 2) return "";
  const lists = labels.map((label) => label.split(" "));
  let length = 0;
  while (lists.every((list) => length < list.length - 1 && list[length] === lists[0][length])) length += 1;
  // A number says little without the word before it: "row 1", not "1".
  if (length && lists.some((list) => /^\d/.test(list[length]))) length -= 1;
  return lists[0].slice(0, length).join(" ");
}

/** Whether two entries say the same. */
export function isSame(a, b) {
  return a.type === b.type && a.actor === b.actor && JSON.stringify(a.params) === JSON.stringify(b.params);
}

/** What is sent for an entry. */
export function bodyOf(entry, outcomes = []) {
  const body = { type: entry.type, actor: entry.actor, params: entry.params };
  return outcomes.length ? { ...body, outcomes } : body;
}
