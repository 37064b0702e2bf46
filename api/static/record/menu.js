// The actions whose buttons keep their places, legal or not. Choosing an action highlights its places on the board.

import { h, tapListener } from "../ui.js";
import { say } from "../words.js";
import { sign } from "./signs.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** Return true if a kind has one action, which its button records. @param {Kind} kind */
export function isAlone({ entries, range }) {
  return entries.length === 1 && !range;
}

/** Return the buttons; null if none of the actions is legal. @param {Panel} panel @param {Group[]} groups */
export function menuElement(panel, groups) {
  const { menu } = panel.table.ruleset;
  const kinds = new Map(
    groups.flatMap((group) => [...group.kinds.values()].map((kind) => [kind.type, { group, kind }])),
  );
  if (!menu.some((type) => kinds.has(type))) return null;
  return h(
    "div",
    { class: "menu", role: "group", "aria-label": say("Actions") },
    menu.map((type) => {
      const { group, kind } = kinds.get(type) ?? {};
      return button(panel, type, group, kind);
    }),
  );
}

/**
 * The button of a kind of action: it records the only action, or lights the places of several.
 * @param {Panel} panel
 * @param {string} type
 * @param {Group} [group]
 * @param {Kind} [kind]  undefined if no action of the kind is legal
 */
function button(panel, type, group, kind) {
  const only = kind && isAlone(kind) ? kind.entries[0] : null;
  const symbol = panel.kindOf(type)?.symbol;
  return h(
    "button",
    {
      type: "button",
      class: "button action",
      "aria-disabled": kind ? null : "true",
      "aria-pressed": kind && !only && !kind.range ? String(panel.taken?.type === type) : null,
      "data-menu": type,
      "data-action": only ? JSON.stringify([type, only.actor, only.params]) : null,
      onclick: tapListener((button) => {
        if (only) panel.listeners.onTap(only, button);
        else if (kind?.range) panel.listeners.onRange(kind.range);
        else if (group) panel.take(panel.taken?.type === type ? null : { type, actor: group.actor });
      }),
    },
    symbol && sign(symbol),
    panel.table.titleOf(type),
  );
}

/** The buttons of the kinds on the board without a fixed place. @param {Panel} panel @param {Group[]} groups */
export function moreButtons(panel, groups) {
  return groups.flatMap((group) => [...group.kinds.values()].map((kind) => button(panel, kind.type, group, kind)));
}
