// The strip, which never scrolls away: the turn, the actions left, the question, the gauges and all hands.

import { h } from "../ui.js";
import { say } from "../words.js";
import { badge, mini, sign } from "./signs.js";

/** The maximum number of cards of one kind that are drawn one by one. */
const ONE_BY_ONE = 2;
/** The maximum number of counters in a player's hand. If a player has more, only the panels show them. */
const MOST_GAUGES = 7;
/** The most counters shown in a hand. */
const SHOWN = 3;

export class Strip {
  /**
   * @param {{badges: HTMLElement, role: HTMLElement, left: HTMLElement, ask: HTMLElement, gauges: HTMLElement,
   *   hands: HTMLElement, piles: HTMLElement}} places
   * @param {{onSeat: (seat: string) => void}} listeners
   */
  constructor(places, { onSeat }) {
    this.places = places;
    this.onSeat = onSeat;
    /** @type {Summary | null} */
    this.summary = null;
    /** The drawn content of each place: unchanged content is not redrawn. @type {Map<string, string>} */
    this.drawn = new Map();
  }

  /**
   * @param {Sentence} sentence
   * @param {{awaiting: string[], targets: Set<string>, seat: string | null, own: string | null, isOver: boolean}} now
   *   `own`: the seat whose phone this is
   */
  render(sentence, { awaiting, targets, seat, own, isOver }) {
    const { ask } = this.places;
    if (ask.textContent !== sentence.text) ask.textContent = sentence.text;
    ask.classList.toggle("is-forced", Boolean(sentence.isForced));
    ask.classList.toggle("is-refused", Boolean(sentence.isRefused));
    const { summary } = this;
    if (!summary) return;
    const who = isOver ? [] : summary.players.filter((player) => awaiting.includes(player.seat));
    this.put("badges", who.length === 1 ? who : [], (players) => players.map(badge));
    this.put("role", who.length === 1 ? who[0].role : "", (role) => [role]);
    this.put("left", (isOver ? null : who.find((player) => player.actions)?.actions) ?? null, dots);
    this.put("gauges", { meters: summary.meters, vital: summary.vital }, ({ meters, vital }) => [
      ...meters.slice(0, 1).map(meter),
      ...vital.map(stats),
    ]);
    this.put("hands", { players: this.players, awaiting, targets: [...targets], seat, isOver }, ({ players }) =>
      players.map((player) =>
        hand(
          player,
          {
            isTurn: !isOver && awaiting.includes(player.seat),
            isTarget: targets.has(player.seat),
            isChosen: player.seat === seat,
            isOwn: player.seat === own,
          },
          this.onSeat,
        ),
      ),
    );
    this.put("piles", summary.piles, (piles) =>
      piles.map(([title, count]) =>
        h("li", {}, sign("draw"), h("span", {}, title), h("b", { class: "number" }, String(count))),
      ),
    );
  }

  /** The players. If the page shows their places, omit their things and unnamed numbers here. */
  get players() {
    const { players = [], spots } = this.summary ?? {};
    return spots
      ? players.map((one) => ({ ...one, cards: [], gauges: one.gauges.length > 1 ? [] : one.gauges }))
      : players;
  }

  /**
   * @template T
   * @param {keyof Strip["places"]} place
   * @param {T} what
   * @param {(what: T) => (Node | string)[]} draw
   */
  put(place, what, draw) {
    const told = JSON.stringify(what);
    if (this.drawn.get(place) === told) return;
    this.drawn.set(place, told);
    this.places[place].replaceChildren(...draw(what));
  }
}

/**
 * A player's hand; without `onSeat` it is a picture.
 * @param {Player} player
 * @param {{isTurn: boolean, isTarget?: boolean, isChosen?: boolean, isOwn?: boolean}} how
 * @param {(seat: string) => void} [onSeat]
 */
export function hand(player, { isTurn, isTarget, isChosen, isOwn }, onSeat) {
  const shown = player.gauges.length <= MOST_GAUGES ? player.gauges.slice(0, SHOWN) : [];
  const classes = [
    "hand",
    isTurn && "is-turn",
    isTarget && "is-target",
    isChosen && "is-chosen",
    isOwn && "is-own",
    player.is_out && "is-out",
  ];
  const pressed = onSeat
    ? { type: "button", "aria-pressed": String(isChosen), onclick: () => onSeat(player.seat) }
    : { role: "img" };
  return h(
    onSeat ? "button" : "div",
    {
      class: classes.filter(Boolean).join(" "),
      "aria-label": describePlayer(player),
      "data-seat": player.seat,
      ...pressed,
    },
    badge(player),
    h("span", { class: "name" }, player.name),
    h(
      "span",
      { class: "held" },
      shown.map((gauge) =>
        h(
          "span",
          { class: `count${gauge.is_grave ? " is-grave" : ""}` },
          gauge.symbol && sign(gauge.symbol),
          h("span", { class: "number" }, String(gauge.value)),
        ),
      ),
      player.cards.flatMap(cards),
    ),
  );
}

/** @param {Card} card */
function cards(card) {
  const face = mini(card);
  if (card.is_any_time) face.classList.add("any");
  if (card.count <= ONE_BY_ONE) return [face, ...(card.count === ONE_BY_ONE ? [face.cloneNode(true)] : [])];
  face.append(h("span", { class: "times number" }, `×${card.count}`));
  face.classList.add("many");
  return [face];
}

/** @param {[number, number] | null} actions */
export function dots(actions) {
  if (!actions) return [];
  const [left, most] = actions;
  const label = say("{left} of {most} actions left", { left, most });
  const each = Array.from({ length: most }, (_, at) => h("i", { class: at < left ? "on" : null }));
  return [h("span", { class: "row-of-dots", role: "img", "aria-label": label }, each)];
}

/** @param {Meter} meter */
export function meter({ title, reading, levels, at, symbol }) {
  const told = `${title}: ${reading || levels[at]?.label || ""}`;
  return h(
    "div",
    { class: "gauge", role: "img", "aria-label": told },
    symbol && sign(symbol),
    h(
      "span",
      { class: "cells" },
      levels.map((level, tick) =>
        h(
          "span",
          { class: [tick < at && "past", tick === at && "now", level.symbol && "end"].filter(Boolean).join(" ") },
          level.symbol ? sign(level.symbol) : tick < at ? "" : level.label,
        ),
      ),
    ),
  );
}

/** @param {{title: string, gauges: Gauge[]}} counters */
export function stats({ title, gauges }) {
  return h(
    "div",
    { class: "ship", role: "group", "aria-label": title },
    gauges.map(({ label, value, of, symbol, is_grave }) =>
      h(
        "div",
        {
          class: is_grave ? "is-grave" : null,
          role: "img",
          "aria-label": of ? say("{what} {value} of {of}", { what: label, value, of }) : `${label} ${value}`,
        },
        symbol && sign(symbol),
        h("span", { class: "number" }, String(value), of ? h("small", {}, ` / ${of}`) : null),
        of ? h("meter", { min: 0, max: of, value, "aria-hidden": "true" }) : null,
      ),
    ),
  );
}

/** @param {Player} player */
function describePlayer({ name, role, cards: held, gauges }) {
  const what = [
    ...gauges.map(({ label, value, of }) =>
      of ? say("{what} {value} of {of}", { what: label, value, of }) : `${label} ${value}`,
    ),
    ...held.map(({ label, count }) => (count > 1 ? `${count} ${label}` : label)),
  ];
  return [role ? `${name}, ${role}` : name, what.join(", ")].filter(Boolean).join(": ");
}
