// Buttons for the actions that take two taps on the board.

import { actionButton, commonLead } from "./actions.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** The most buttons: two rows, with the action that is not on the board. */
export const MOST_QUICK = 5;
/** The most buttons below the fixed buttons: one row. */
const MOST_BELOW_MENU = 3;

/**
 * The actions for which the board needs two taps: the rarer kind on a place with several meanings, and actions that
 * take another player's pawn along, if they are few.
 * @param {Entry[]} entries  actions that can be tapped on the board
 * @param {(entry: Entry) => string[]} placesOf  the places of an action that a tap means; none if a pawn comes first
 */
export function twoTaps(entries, placesOf) {
  const found = entries.map((entry) => ({ entry, places: placesOf(entry) }));
  const count = (/** @type {string} */ type) => found.filter(({ entry }) => entry.type === type).length;
  const places = new Set(found.flatMap((one) => one.places));
  const quick = [...places].flatMap((place) => {
    const here = found.filter((one) => one.places.includes(place));
    const single = here.filter((one) => one.places.length === 1).map(({ entry }) => entry);
    const least = Math.min(...single.map(({ type }) => count(type)));
    return here.length > 1 ? single.filter(({ type }) => count(type) === least) : [];
  });
  const along = found.filter((one) => one.places.length === 0).map(({ entry }) => entry);
  return quick.length + along.length > MOST_QUICK ? quick.slice(0, MOST_QUICK) : [...quick, ...along];
}

/**
 * The actions with a button, although the board shows them.
 * @param {Panel} panel
 * @param {boolean} hasMenu  true if the fixed buttons are shown: then the actions without one
 */
export function quickActions(panel, hasMenu) {
  if (panel.seat || panel.taken) return [];
  const { isOnBoard, isOnMats, placesOf } = panel.listeners;
  const placed = panel.entries.filter(
    (entry) => !panel.isAnyTime(entry) && !isOnMats(entry.type) && isOnBoard(entry.params),
  );
  if (!hasMenu) return twoTaps(placed, placesOf);
  return placed.filter(({ type }) => !panel.table.ruleset.menu.includes(type)).slice(0, MOST_BELOW_MENU);
}

/** Their buttons: the sign of the action, and its place. @param {Panel} panel @param {Entry[]} quick */
export function quickButtons(panel, quick) {
  return quick.map((entry) => {
    const labels = panel.entries.filter(({ type }) => type === entry.type).map(({ label }) => label);
    const symbol = panel.kindOf(entry.type)?.symbol;
    return actionButton(entry, symbol ? commonLead(labels) : "", { ...panel.listeners, symbol });
  });
}
