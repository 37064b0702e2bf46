// Buttons for the actions that take two taps on the board.

import { actionButton, commonLead } from "./actions.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** The maximum number of buttons: two rows, including the action that is not on the board. */
export const MOST_QUICK = 5;

/**
 * The actions for which the board needs two taps: the rarer kind on a place with several meanings, and actions that
 * take another player's pawn along, if they are few.
 * @param {Entry[]} entries  actions that can be tapped on the board
 * @param {(entry: Entry) => string[]} placesOf  the places of an action that a tap means; none if a pawn comes first
 */
export function twoTaps(entries, placesOf) {
  const found = entries.map((entry) => ({ entry, places: placesOf(entry) }));
  const count = (/** @type {string} */ type) => found.filter(({ entry }) => entry.type === type).length;
  // If two kinds are equally rare, choose the later one in the rulebook, because the earlier one is more common.
  const rare = (/** @type {string[]} */ types) =>
    types.reduce((best, type) => (count(type) <= count(best) ? type : best), types[0]);
  const places = new Set(found.flatMap((one) => one.places));
  const quick = [...places].flatMap((place) => {
    const here = found.filter((one) => one.places.includes(place));
    const single = here.filter((one) => one.places.length === 1).map(({ entry }) => entry);
    const rarest = rare(single.map(({ type }) => type));
    return here.length > 1 ? single.filter(({ type }) => type === rarest) : [];
  });
  const along = found.filter((one) => one.places.length === 0).map(({ entry }) => entry);
  return quick.length + along.length > MOST_QUICK ? quick.slice(0, MOST_QUICK) : [...quick, ...along];
}

/** The actions with a button, although the board shows them. @param {Panel} panel */
export function quickActions(panel) {
  if (panel.seat || panel.taken) return [];
  const { isOnBoard, isOnMats, placesOf } = panel.listeners;
  const placed = panel.entries.filter(
    (entry) => !panel.isAnyTime(entry) && !isOnMats(entry.type) && isOnBoard(entry.params),
  );
  return twoTaps(placed, placesOf);
}

/** The buttons for these actions, each with the sign of the action and its place. @param {Panel} panel @param {Entry[]} quick */
export function quickButtons(panel, quick) {
  const { entries, listeners } = panel;
  return quick.map((entry) => {
    const symbol = panel.kindOf(entry.type)?.symbol;
    const lead = symbol ? leadOf(entry, entries, listeners.placesOf) : "";
    return actionButton(entry, lead, { ...listeners, symbol, isBrief: true });
  });
}

/**
 * The part of a label before the place: the words that all actions of its kind share. If it is the only one of its
 * kind, the words that another action on the same place does not have.
 * @param {Entry} entry
 * @param {Entry[]} entries
 * @param {(entry: Entry) => string[]} placesOf
 */
export function leadOf(entry, entries, placesOf) {
  const kind = entries.filter(({ type }) => type === entry.type);
  if (kind.length > 1) return commonLead(kind.map(({ label }) => label));
  const [place] = placesOf(entry);
  const other = entries.find((one) => one !== entry && placesOf(one).includes(place));
  const words = entry.label.split(" ");
  const others = other?.label.split(" ") ?? [];
  let shared = 0;
  while (shared < words.length && words.at(-1 - shared) === others.at(-1 - shared)) shared += 1;
  return shared > 0 ? words.slice(0, -shared).join(" ") : "";
}
