// Find illegal actions that the table may have taken, by the tapped place or card.

import { placesOf } from "./marks.js";

/** @typedef {{type: string, params: Schema, symbol?: string | null, any_time?: boolean}} ActionKind */
/** @typedef {{type: string, actor: string, params: Record<string, unknown>}} Did */

const SEAT = /^p\d$/;

/**
 * All actions that `actor` could have taken with a thing, legal or not: the kinds with a param that the thing fits,
 * and no other param except another player's seat.
 * @param {ActionKind[]} kinds
 * @param {string} place  as on the board: "coral_palace", "number:3"
 * @param {string} actor
 * @param {string[]} seats  the occupied ones
 * @returns {Did[]}
 */
export function deedsAbout(kinds, place, actor, seats) {
  const others = seats.filter((seat) => seat !== actor);
  return kinds.flatMap(({ type, params }) => {
    const parts = Object.entries(params.properties ?? {});
    const about = parts.find(([name, part]) => fillParam(params, name, part, place) !== undefined);
    if (!about) return [];
    const rest = parts.filter((part) => part !== about && (params.required ?? []).includes(part[0]));
    if (rest.length > 1 || rest.some(([, part]) => !part.enum?.some((one) => SEAT.test(String(one))))) return [];
    const thing = { [about[0]]: fillParam(params, about[0], about[1], place) };
    if (rest.length === 0) return [{ type, actor, params: thing }];
    return others.map((seat) => ({ type, actor, params: { [rest[0][0]]: seat, ...thing } }));
  });
}

/**
 * The value of a param for a place; undefined if the param cannot be a place.
 * @param {Schema} whole
 * @param {string} name
 * @param {Schema} part
 * @param {string} place
 * @returns {unknown}
 */
function fillParam(whole, name, part, place) {
  if (part.$ref)
    return fillParam(whole, name, whole.$defs?.[part.$ref.slice(part.$ref.lastIndexOf("/") + 1)] ?? {}, place);
  if (part.type === "array" && part.items) {
    const one = (part.minItems ?? 0) <= 1 ? fillParam(whole, name, part.items, place) : undefined;
    return one === undefined ? undefined : [one];
  }
  const [value, names] = place.split(":").reverse();
  if (names && !names.split(",").includes(name)) return undefined;
  if (part.enum) return part.enum.find((one) => String(one) === value);
  if (!names) return undefined;
  return part.type === "integer" ? Number(value) : part.type === "string" ? value : undefined;
}

/**
 * Keep the likeliest actions: prefer those that are not playable at any time, and among these the legal kinds.
 * @param {Did[]} deeds
 * @param {ActionKind[]} kinds
 * @param {Pick<Entry, "type">[]} offered
 */
export function likely(deeds, kinds, offered) {
  const types = new Set(offered.map((entry) => entry.type));
  const usual = deeds.filter((deed) => !kinds.find((kind) => kind.type === deed.type)?.any_time);
  const now = usual.filter((deed) => types.has(deed.type));
  return now.length ? now : usual.length ? usual : deeds;
}

/** Return true if an action is about a thing. @param {Pick<Entry, "params">} entry @param {string} thing */
export function isOf({ params }, thing) {
  return placesOf(params).has(thing);
}
