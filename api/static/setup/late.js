// The facts of a late page: the table of a game that is already under way.

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Part} Part */
/** @typedef {import("./table.js").Report} Report */

/** The event that begins the record, with a null for each unknown card. @param {Table} table */
export function beginning(table) {
  const told = table.parts.flatMap((part) => (part.report ? [report(table, part, part.report)] : []));
  const facts = told.flatMap((one) => one.facts);
  const unknown = told.reduce((sum, one) => sum + one.unknown, 0);
  return { type: "set_up", params: { position: { facts } }, outcomes: Array(unknown).fill(null) };
}

/** @param {Table} table @param {Part} part @param {Report} report */
function report(table, part, { facts, member, rest, size, unknown }) {
  const values = table.values(part);
  if (size) return hands(values, facts, { member, size, unknown });
  const named = values.flatMap((value, place) => (value === null ? [] : [{ ...facts[place], [member]: value }]));
  return { facts: rest ? [...named, rest] : named, unknown: 0 };
}

/**
 * Count the cards of each hand.
 * @param {import("./table.js").Given} values
 * @param {Record<string, unknown>[]} places
 * @param {Pick<Report, "member" | "size" | "unknown">} report
 */
function hands(values, places, { member, size, unknown }) {
  /** The number of each card, of all cards of a seat, and of unknown cards. @type {Map<string, Record<string, any>>} */
  const counts = new Map();
  /** @param {Record<string, unknown>} fact @param {number} count */
  const add = (fact, count) => {
    const key = JSON.stringify(fact);
    counts.set(key, { ...fact, count: (counts.get(key)?.count ?? 0) + count });
  };
  for (const [place, value] of values.entries()) {
    add({ ...places[place], fact: size }, value === null ? 0 : 1);
    if (value !== null && value !== unknown) add({ ...places[place], [member]: value }, 1);
  }
  return { facts: [...counts.values()], unknown: values.filter((value) => value !== null && value === unknown).length };
}
