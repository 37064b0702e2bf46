// Parts of the panel beside the question: a player's cards, the list of the board's actions, and the any-time cards.

import { h, tapListener } from "../ui.js";
import { say } from "../words.js";
import { outcomeButtons } from "./chance.js";
import { badge, mini, sign } from "./signs.js";
import { OWNED } from "./table.js";

/** @typedef {import("./panel.js").Panel} Panel */

/** A player's cards with their texts: each can be tapped, also for illegal actions. @param {Panel} panel @param {string} seat */
export function heldCards(panel, seat) {
  const cards = (panel.listeners.playerOf(seat)?.cards ?? []).filter((card) => card.place);
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
export function actionList(panel, buttons) {
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
 * The results to show beside the other actions, if the ruleset wants that.
 * @param {Panel} panel
 * @param {Kind} kind
 * @returns {Point | null}
 */
export function pointBeside(panel, { entries, range }) {
  const [point, ...more] = entries[0]?.chance ?? [];
  if (!panel.table.isObserved || range || entries.length !== 1 || !point || more.length) return null;
  const layout = panel.layoutOf(point);
  const isFaced = point.outcomes.every(({ value }) => layout?.faces.some((face) => face.value === value));
  return layout?.is_beside && isFaced ? point : null;
}

/** An action as its possible results: one tap records both. @param {Panel} panel @param {Kind} kind */
export function beside(panel, { type, entries: [entry] }) {
  const point = /** @type {Point} */ (entry.chance?.[0]);
  const symbol = panel.kindOf(type)?.symbol;
  const [faces, ...unseen] = outcomeButtons(
    point,
    (outcome, button) => panel.listeners.onOutcome({ entry, point, outcomes: [] }, outcome, button),
    panel.layoutOf(point),
  );
  for (const button of unseen) {
    button.className = "button quiet face";
    button.setAttribute("aria-label", `${button.textContent}`);
    button.textContent = "?";
  }
  faces.append(...unseen);
  const about = { role: "group", "aria-label": entry.label };
  return h(
    "div",
    { class: "beside", "data-beside": JSON.stringify([type, entry.actor, entry.params]), ...about },
    h("p", { class: "lead-in", "aria-hidden": "true" }, symbol && sign(symbol), `${entry.label}:`),
    faces,
  );
}

/** The maximum number of cards in the open row of the tray. Its last button shows the others. */
const MOST_OPEN = 6;

/**
 * The cards that can be played at any time; a card out of the tray highlights its places on the board.
 * @param {Panel} panel
 * @param {Group[]} groups
 */
export function tray(panel, groups) {
  const kinds = groups
    .flatMap((group) => [...group.kinds.values()].map((kind) => ({ group, kind })))
    .toSorted((a, b) => rank(panel, a.kind) - rank(panel, b.kind));
  const most = kinds.length > MOST_OPEN + 1 ? MOST_OPEN : kinds.length;
  const title = say("Any time");
  const cards = kinds.map(({ group, kind }) => card(panel, group, kind));
  const isOut = kinds.slice(most).some(({ group, kind: { type } }) => panel.isTaken({ type, actor: group.actor }));
  const more =
    most < kinds.length &&
    h(
      "details",
      { class: "more-cards", open: isOut },
      h("summary", { class: "button", "aria-label": say("More cards") }, "…"),
      h("div", { class: "tray-cards" }, cards.slice(most)),
    );
  return h(
    "div",
    { class: `tray${kinds.length > 1 ? " several" : ""}` },
    h("div", { class: "tray-cards", role: "group", "aria-label": title }, cards.slice(0, most), more),
  );
}

/**
 * The order of cards: those played at once, then on the board, then on another player. Within each, the rulebook's
 * order.
 * @param {Panel} panel
 * @param {Kind} kind
 */
function rank(panel, { type, entries, range }) {
  const { actions } = panel.table.ruleset;
  const order = actions.findIndex((one) => one.type === type) / actions.length;
  if (range || entries.every(({ params }) => OWNED.test(String(params.to)))) return 2 + order;
  if (entries.length === 1) return order;
  return order + (entries.every((entry) => panel.listeners.isOnBoard(entry.params)) ? 1 : 2);
}

/** A card in the tray, with its owner. @param {Panel} panel @param {Group} group @param {Kind} kind */
function card(panel, group, kind) {
  const { actor } = group;
  const { type } = kind;
  const player = panel.listeners.playerOf(actor);
  const title = panel.table.titleOf(type);
  const face = [
    mini({ symbol: panel.kindOf(type)?.symbol }),
    player && badge(player),
    h(
      "span",
      { class: "what" },
      !panel.seat && h("span", { class: "visually-hidden" }, `${panel.table.name(actor)}: `),
      title,
    ),
  ];
  if (kind.entries.length === 1 && !kind.range) {
    const [entry] = kind.entries;
    return h(
      "button",
      {
        type: "button",
        class: `button${entry.isPossible ? " possible" : ""}`,
        "data-action": JSON.stringify([type, actor, entry.params]),
        onclick: tapListener((button) => panel.listeners.onTap(entry, button)),
      },
      face,
    );
  }
  const card = h(
    "details",
    { class: "fold optional", name: "any-time", open: panel.isTaken({ type, actor }) },
    h("summary", { class: "button" }, face),
    panel.drawer(true)({ ...group, kinds: new Map([[type, kind]]) }),
  );
  card.addEventListener("toggle", () => {
    if (card.open === panel.isTaken({ type, actor })) return;
    panel.taken = card.open ? { type, actor } : null;
    panel.listeners.onChoice();
    // The board may have become higher, and the panel lower.
    if (card.open) card.scrollIntoView({ block: "nearest" });
  });
  return card;
}
