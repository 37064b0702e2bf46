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

/** @param {Table} table @param {Part} part @param {Report} declared */
function report(table, part, declared) {
  const { facts, member, rest, count, coordinates, means } = declared;
  const values = table.values(part);
  if (count) return counted(values, declared);
  const walk = table.parts.find(({ kind }) => kind === "walk");
  const laid = coordinates.length && walk ? table.path(walk).laid : [];
  const named = values.flatMap((value, place) => {
    if (value === null) return [];
    const meanings = means[value] ?? [{ [member]: value }];
    const nth = values.slice(0, place).filter((one) => one === value).length;
    const at = Object.fromEntries(coordinates.map((name, axis) => [name, laid[place]?.[axis]]));
    return [{ ...facts[place], ...at, ...(meanings[nth] ?? meanings[meanings.length - 1]) }];
  });
  return { facts: rest ? [...named, rest] : named, unknown: 0 };
}

/**
 * Count equal things of an owner.
 * @param {import("./table.js").Given} values @param {Report} report
 */
function counted(values, { facts: places, member, count: name, size, unknown }) {
  /** The number of each thing, of all cards of a seat, and of unknown cards. @type {Map<string, Record<string, any>>} */
  const counts = new Map();
  /** @param {Record<string, unknown>} fact @param {number} count */
  const add = (fact, count) => {
    const key = JSON.stringify({ ...fact, [name]: 0 });
    counts.set(key, { ...fact, [name]: (counts.get(key)?.[name] ?? 0) + count });
  };
  for (const [place, value] of values.entries()) {
    if (size) add({ ...places[place], fact: size }, value === null ? 0 : 1);
    if (value !== null && value !== unknown) add({ ...places[place], [member]: value }, 1);
  }
  return { facts: [...counts.values()], unknown: values.filter((value) => value !== null && value === unknown).length };
}
