// The legal actions as buttons, grouped by rulebook heading; awaited players come first.

import { h, tapListener } from "../ui.js";
import { capitalize, say } from "../words.js";
import { percent } from "./chance.js";
import { sign } from "./signs.js";

/** The maximum number of buttons of a kind of action that is not folded. */
const MOST_SHOWN = 9;
/** The maximum number of examples of a range that are not folded. */
const MOST_EXAMPLES = 2;

/**
 * The legal actions, sorted for display.
 * @param {LegalActions} now
 * @param {string[]} sections  the rulebook's headings, in order
 * @returns {{awaited: Group[], others: Group[]}}
 */
export function groupActions(now, sections) {
  /** @type {Set<string>} */
  const awaited = new Set(now.awaiting);
  /** @type {Map<string, Group>} */
  const groups = new Map();
  /** @param {Entry | LegalRange} entry */
  const kindOf = (entry) => {
    const id = `${entry.actor} ${entry.rule}`;
    const group = groups.get(id) ?? { rule: entry.rule ?? "", actor: entry.actor, kinds: new Map() };
    groups.set(id, group);
    /** @type {Kind} */
    const kind = group.kinds.get(entry.type) ?? { type: entry.type, entries: [], range: null };
    group.kinds.set(entry.type, kind);
    return kind;
  };
  for (const range of now.ranges || []) kindOf(range).range = range;
  for (const entry of now.actions) kindOf(entry).entries.push(entry);
  for (const entry of now.possible || []) kindOf(entry).entries.push({ ...entry, isPossible: true });
  /** @param {string} rule */
  const place = (rule) => (sections.includes(rule) ? sections.indexOf(rule) : sections.length);
  const all = [...groups.values()].sort((a, b) => place(a.rule) - place(b.rule) || compare(a.actor, b.actor));
  /** @param {Group} group */
  const mayAct = (group) => group.actor === null || awaited.has(group.actor);
  return { awaited: all.filter(mayAct), others: all.filter((group) => !mayAct(group)) };
}

/**
 * The groups with only the kinds that pass `test`, and their entries that pass `testEntry`; empty groups are removed.
 * @param {Group[]} groups
 * @param {(kind: Kind) => boolean} test
 * @param {(entry: Entry) => boolean} [testEntry]
 */
export function only(groups, test, testEntry = () => true) {
  return groups
    .map((group) => {
      /** @type {Group["kinds"]} */
      const kinds = new Map();
      for (const [type, kind] of group.kinds) {
        const entries = kind.entries.filter(testEntry);
        if (test(kind) && (kind.range || entries.length > 0)) kinds.set(type, { ...kind, entries });
      }
      return { ...group, kinds };
    })
    .filter((group) => group.kinds.size > 0);
}

/** @param {string | null} a @param {string | null} b */
function compare(a, b) {
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

/**
 * @typedef {{onTap: (entry: Entry, button: Element) => void, onRange: (range: LegalRange) => void,
 *   isWhole?: boolean, kindOf?: (type: string) => {title: string, symbol?: string | null} | undefined}} Listeners
 */

/**
 * @param {Group} group
 * @param {{who: string | false | null} & Listeners} options
 *   `who` is shown before the heading if the actor is not obvious
 */
export function groupElement(group, { who, ...listeners }) {
  return h(
    "section",
    { class: "group" },
    h("h3", {}, who && h("span", { class: "who" }, `${who}: `), say(group.rule)),
    [...group.kinds.values()].map((kind) => kindElement(kind, group.rule, listeners)),
  );
}

/** @param {string} label */
const isNumber = (label) => /^[+−]?\d+$/.test(label);
/** The order of numbers such as −1, +1, +5, +10. @param {Entry} a @param {Entry} b */
const byNumber = (a, b) => Number(a.label.replace("−", "-")) - Number(b.label.replace("−", "-"));

/** @param {Kind} kind @param {string} rule @param {Listeners} listeners */
function kindElement({ type, entries, range }, rule, { onTap, onRange, isWhole, kindOf }) {
  const lead = isWhole ? "" : commonLead(entries.map((entry) => entry.label));
  const inOrder = entries.every(({ label }) => isNumber(label)) ? entries.toSorted(byNumber) : entries;
  const buttons = inOrder.map((entry) =>
    actionButton(entry, lead, { onTap, symbol: lead ? null : kindOf?.(entry.type)?.symbol }),
  );
  const title = kindOf?.(type)?.title ?? "";
  const more =
    range &&
    // A button for the only possible action is enough.
    !(entries.length > 0 && Object.values(range.params.properties ?? {}).every(({ type }) => type === "null")) &&
    h(
      "button",
      { type: "button", class: "button action whole", "data-range": type, onclick: () => onRange(range) },
      `${title} …`,
    );
  if (buttons.length > (more ? MOST_EXAMPLES : MOST_SHOWN)) {
    const many = h("span", { class: "chip number" }, String(buttons.length));
    return h(
      "div",
      { class: "kind" },
      more,
      h(
        "details",
        { class: "fold" },
        h("summary", { class: "button block" }, more ? `${say("Some of them")} ` : `${lead || title} … `, many),
        h("div", { class: "buttons" }, buttons),
      ),
    );
  }
  const isSaid = lead.toLowerCase().startsWith(rule.toLowerCase()) || rule.toLowerCase().includes(lead.toLowerCase());
  return h(
    "div",
    { class: "kind" },
    lead && !isSaid && h("p", { class: "lead-in", "aria-hidden": "true" }, lead),
    h("div", { class: "buttons" }, buttons, more),
  );
}

/**
 * @param {Entry} entry
 * @param {string} lead
 * @param {{onTap: Listeners["onTap"], symbol: string | null | undefined, isBrief?: boolean}} how
 *   `isBrief`: without what is in parentheses
 */
export function actionButton(entry, lead, { onTap, symbol, isBrief = false }) {
  const rest = lead ? entry.label.slice(lead.length).trim() : entry.label;
  const short = isBrief ? rest.replace(/ \(.*\)/, "") : rest;
  // An option, as numbered on the page.
  const numbered = /^(\d+)\. (.+)/.exec(short);
  const name = entry.isPossible ? say("{what}, perhaps", { what: entry.label }) : entry.label;
  return h(
    "button",
    {
      type: "button",
      class: `button action${lead ? "" : " whole"}${entry.isPossible ? " possible" : ""}`,
      "aria-label": name === short && !numbered ? null : name,
      "data-action": JSON.stringify([entry.type, entry.actor, entry.params]),
      onclick: tapListener((button) => onTap(entry, button)),
    },
    symbol && sign(symbol),
    numbered && h("span", { class: "disc", "aria-hidden": "true" }, numbered[1]),
    capitalize(numbered ? numbered[2] : short),
    entry.isPossible &&
      h(
        "span",
        { class: "chip sand" },
        entry.p ? say("perhaps, {percent}", { percent: percent(entry.p) }) : say("perhaps"),
      ),
  );
}

/**
 * The common prefix of all labels, in whole words: "Move to" of "Move to Coral Palace" and "Move to Iron Gate".
 * @param {string[]} labels
 */
export function commonLead(labels) {
  if (labels.length < 2) return "";
  const lists = labels.map((label) => label.split(" "));
  let length = 0;
  while (lists.every((list) => length < list.length - 1 && list[length] === lists[0][length])) length += 1;
  // Keep the word before a number or letter: "row 1", not "1", and "shore A", not "A".
  const isNamed = length > 0 && !lists[0][length - 1].endsWith(":");
  if (isNamed && lists.some((list) => /^(\d|\p{Lu}$)/u.test(list[length]))) length -= 1;
  return lists[0].slice(0, length).join(" ");
}

/** @typedef {Pick<Entry, "type" | "actor" | "params">} Deed */

/** Return true if two entries are the same action. @param {Deed} a @param {Deed} b */
export function isSame(a, b) {
  return a.type === b.type && a.actor === b.actor && JSON.stringify(a.params) === JSON.stringify(b.params);
}

/** Return true if a tap only repeats the one before it; a second card of a draw may equal the first. @param {NewEvent} a @param {NewEvent} b */
export function isRepeated(a, b) {
  return isSame(a, b) && !b.outcomes?.length && b.type !== "annotate";
}

/** The event to send for an entry. @param {Deed} entry @param {Outcome["value"][]} outcomes @returns {NewEvent} */
export function bodyOf(entry, outcomes = []) {
  const body = { type: entry.type, actor: entry.actor, params: entry.params };
  return outcomes.length ? { ...body, outcomes } : body;
}
