// Parts of the panel beside the question: a player's cards, the list of the board's actions, and the any-time cards.

import { h } from "../ui.js";
import { say } from "../words.js";
import { mini, sign } from "./signs.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** A player's cards with their texts: each can be tapped, also for illegal actions. @param {Panel} panel @param {string} seat */
export function heldCards(panel, seat) {
  const cards = panel.listeners.cardsOf(seat).filter((card) => card.place);
  if (cards.length === 0) return null;
  return h(
    "div",
    { class: "held-cards", role: "group", "aria-label": say("{name}: cards", { name: panel.table.name(seat) }) },
    cards.map((card) =>
      h(
        "button",
        {
          type: "button",
          class: "button quiet",
          "data-card": card.place,
          onclick: () => panel.listeners.onCard(seat, String(card.place), card.label),
        },
        mini(card),
        card.count > 1 ? `${card.label} ×${card.count}` : card.label,
      ),
    ),
  );
}

/** The board's actions as buttons, in a fold that stays open once opened. @param {Panel} panel @param {HTMLElement[]} buttons */
export function listed(panel, buttons) {
  const list = h(
    "details",
    { class: "aslist", open: panel.isListed },
    h("summary", { class: "button quiet" }, say("As a list")),
    buttons,
  );
  list.addEventListener("toggle", () => {
    panel.isListed = list.open;
  });
  return list;
}

/**
 * The cards that can be played at any time; a card out of the tray highlights its places on the board.
 * @param {Panel} panel
 * @param {Group[]} groups
 */
export function tray(panel, groups) {
  const kinds = groups.flatMap((group) => [...group.kinds.values()].map((kind) => ({ group, kind })));
  const symbols = new Map(kinds.map(({ kind: { type } }) => [type, panel.kindOf(type)?.symbol]));
  return h(
    "details",
    { class: "tray", open: kinds.some(({ group, kind: { type } }) => panel.isTaken({ type, actor: group.actor })) },
    h(
      "summary",
      { class: "button" },
      say("Any time"),
      h(
        "span",
        { class: "minis" },
        [...symbols.values()].map((symbol) => mini({ symbol })),
      ),
    ),
    h(
      "div",
      { class: "tray-cards" },
      kinds.map(({ group, kind }) => card(panel, group, kind)),
    ),
  );
}

/** A card in the tray, with its owner. @param {Panel} panel @param {Group} group @param {Kind} kind */
function card(panel, group, kind) {
  const { actor } = group;
  const { type } = kind;
  const plays = { ...group, kinds: new Map([[type, kind]]) };
  // There is only one way to play it, so the button names the action.
  if (kind.entries.length === 1 && !kind.range) return panel.drawer(true)({ ...plays, rule: "" });
  const symbol = panel.kindOf(type)?.symbol;
  const title = panel.table.titleOf(type);
  const card = h(
    "details",
    { class: "fold optional", name: "any-time", open: panel.isTaken({ type, actor }) },
    h(
      "summary",
      { class: "button block" },
      symbol && sign(symbol),
      panel.seat ? title : `${panel.table.name(actor)}: ${title}`,
    ),
    panel.drawer(true)(plays),
  );
  card.addEventListener("toggle", () => {
    if (card.open === panel.isTaken({ type, actor })) return;
    panel.taken = card.open ? { type, actor } : null;
    panel.listeners.onChoice();
  });
  return card;
}
