// Places and meters of a game in which any thing can be moved anywhere: tap a thing, then tap a place.

import { $$, h, isShown, renew } from "../ui.js";
import { say } from "../words.js";

/** @typedef {{spot: Spot, card: Card, count: number}} Carried */

/** Maximum number of values of a meter that each have a button. */
const MOST_VALUES = 30;
/** The changes of a meter with more values. */
const CHANGES = [-10, -5, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50];

export class Mats {
  /**
   * @param {HTMLElement} page
   * @param {import("./table.js").Table} table
   * @param {{record: Recorder, isLocked: () => boolean, onCarry: (isCarrying: boolean) => void,
   *   onRange: (range: LegalRange) => void}} listeners
   */
  constructor(page, table, listeners) {
    this.page = page;
    this.host = h("section", { class: "mats", "aria-label": say("Things and places"), hidden: true });
    this.bar = h("div", { class: "carrying", role: "status" });
    this.table = table;
    this.listeners = listeners;
    /** @type {Summary | null} */
    this.summary = null;
    /** The tapped thing. @type {Carried | null} */
    this.carried = null;
    /** True if the mats are in the place of the board. */
    this.isOnBoard = false;
    /** The tapped meter. @type {Dial | null} */
    this.dial = null;
    /** The last destination of things, by the place that they came from. @type {Map<string, string>} */
    this.last = new Map();
  }

  /** Show the places of a picture; return true if these are the first. @param {Summary} summary */
  show(summary) {
    const isFirst = this.summary === null && Boolean(summary.spots);
    this.summary = summary;
    if (isFirst) this.place(Boolean(summary.has_board));
    this.choose();
    return isFirst;
  }

  /** Put the mats in the place of the board; if there is a board, below the buttons. @param {boolean} hasBoard */
  place(hasBoard) {
    const [todo] = $$("#todo", this.page);
    todo.before(this.bar);
    if (hasBoard) todo.after(this.host);
    else todo.parentElement?.before(this.host);
    this.isOnBoard = !hasBoard;
  }

  /** Choose a thing or a meter, or nothing. @param {{carried?: Carried, dial?: Dial}} [chosen] */
  choose({ carried, dial } = {}) {
    this.carried = carried ?? null;
    this.dial = dial ?? null;
    this.render();
    this.listeners.onCarry(Boolean(carried));
  }

  /** The range of an action with these params. @param {...string} names */
  range(...names) {
    return this.table.now?.ranges?.find(({ params }) =>
      names.every((name) => name in /** @type {Schema} */ (params.properties ?? {})),
    );
  }

  /** The actions that users record by tapping things and meters. They need no buttons. */
  get ranges() {
    const ranges = [this.range("thing", "from", "to"), this.range("meter", "value")];
    return this.host.hidden ? [] : ranges.filter(isShown);
  }

  /** Open the form of the action about what is chosen. */
  openForm() {
    const { carried, dial } = this;
    const range = dial ? this.range("meter", "value") : this.range("thing", "from", "to");
    if (!range) return;
    const actor = this.actor(dial ? dial.seat : (carried?.spot.seat ?? null));
    const whose = dial?.seat && dial.seat !== actor ? dial.seat : null;
    /** @type {Record<string, unknown>} */
    const chosen = dial
      ? { meter: dial.id, seat: whose }
      : { from: carried?.spot.id, thing: carried?.card.place ?? null };
    const fits = (/** @type {Schema} */ way) =>
      Object.entries(chosen).every(([name, value]) => {
        const { const: only = value, enum: all = [only] } = /** @type {Schema} */ (way.properties?.[name] ?? {});
        return all.includes(value);
      });
    const fixed = Object.fromEntries(
      Object.entries(chosen).map(([name, value]) => [name, value === null ? { const: null } : { enum: [value] }]),
    );
    /** @type {Schema} */
    const params = range.params;
    const anyOf = params.anyOf?.filter(fits).map((/** @type {Schema} */ way) => ({
      ...way,
      properties: { ...way.properties, ...fixed },
    }));
    this.choose();
    this.listeners.onRange({ ...range, actor, params: { ...params, anyOf } });
  }

  /** The player who acts with something: its owner if it is that player's turn. @param {string | null} seat */
  actor(seat) {
    const { awaiting } = this.table.now;
    return awaiting.find((one) => one === seat) ?? awaiting[0];
  }

  render() {
    const { spots = [], dials = [] } = this.summary ?? {};
    const isOver = !this.table.isRead || Boolean(this.table.game.outcome);
    this.host.hidden = isOver || spots.length + dials.length === 0;
    this.page.classList.toggle("has-mats", this.isOnBoard && !this.host.hidden);
    renew(this.bar, this.host.hidden ? [] : this.hint());
    if (this.host.hidden) return;
    const seats = [...new Set([this.table.now.awaiting[0], ...this.table.game.seats.map((_, at) => `p${at + 1}`)])];
    const [first, ...others] = seats;
    renew(this.host, [first, null, ...others].map((seat) => this.mat(seat, spots, dials)).filter(isShown));
  }

  /** @param {string | null} seat @param {Spot[]} spots @param {Dial[]} dials */
  mat(seat, spots, dials) {
    const own = spots.filter((spot) => spot.seat === seat && (!spot.is_drawn || this.carried?.spot === spot));
    const meters = dials.filter((dial) => dial.seat === seat);
    if (own.length + meters.length === 0) return null;
    return h(
      "section",
      { class: "mat" },
      h("h2", {}, seat ? this.table.name(seat) : say("The middle")),
      meters.length > 0 &&
        h(
          "div",
          { class: "mat-row" },
          meters.map((dial) => this.meter(dial)),
        ),
      own.map((spot) => this.spot(spot)),
    );
  }

  /** @param {Dial} dial */
  meter(dial) {
    const isChosen = this.dial?.id === dial.id && this.dial.seat === dial.seat;
    const onclick = () => this.choose(isChosen ? {} : { dial });
    const label = typeof dial.value === "string" ? `${dial.title}: ${dial.value}` : `${dial.title} ${dial.value}`;
    return h(
      "button",
      {
        type: "button",
        class: "thing",
        "data-meter": dial.id,
        "data-of": dial.seat,
        "aria-pressed": isChosen,
        onclick,
      },
      label,
    );
  }

  /** @param {Spot} spot */
  spot(spot) {
    const here = h(
      "button",
      {
        type: "button",
        class: `spot-name${this.carried ? " is-target" : ""}`,
        "data-place": spot.id,
        onclick: () => this.onPlace(spot.id),
      },
      spot.title,
    );
    return h(
      "div",
      { class: "mat-row" },
      here,
      spot.cards.map((card) => this.thing(spot, card)),
    );
  }

  /** @param {Spot} spot @param {Card} card */
  thing(spot, card) {
    const { carried } = this;
    const isChosen = carried?.spot.id === spot.id && carried.card.place === card.place;
    const goal = this.goal(spot.id);
    // A second tap on a thing moves it to the last destination of things from this place.
    const onclick = () => {
      if (carried && !isChosen) this.move(spot.id);
      else if (isChosen && goal) this.move(goal);
      else this.choose(isChosen ? {} : { carried: { spot, card, count: 1 } });
    };
    const many = card.count > 1 ? ` ×${card.count}` : "";
    return h(
      "button",
      { type: "button", class: "thing", "data-thing": card.place ?? "", "aria-pressed": isChosen, onclick },
      `${card.label}${many}`,
    );
  }

  /** The last place for things from a place. @param {string} from */
  goal(from) {
    return this.last.get(from) ?? [...this.last.values()].findLast((to) => to !== from);
  }

  /** The chosen thing or meter, and a hint for the next tap. @returns {HTMLElement[]} */
  hint() {
    const { carried, dial } = this;
    const button = (/** @type {string} */ label, /** @type {() => void} */ onclick, how = {}) =>
      h("button", { type: "button", class: "button", onclick, ...how }, label);
    const cancel = button(say("Cancel"), () => this.choose());
    const form = button(say("More …"), () => this.openForm());
    if (dial) {
      const title = dial.seat ? `${this.table.name(dial.seat)}: ${dial.title}` : dial.title;
      return [h("b", {}, title), ...this.values(dial), form, cancel].filter(isShown);
    }
    if (!carried) return [];
    const goal = this.spotOf(this.goal(carried.spot.id) ?? "");
    const most = carried.card.count || MOST_VALUES;
    const step = (/** @type {number} */ by) => {
      carried.count = Math.max(1, Math.min(most, carried.count + by));
      this.render();
    };
    const thing = carried.count > 1 ? `${carried.count} × ${carried.card.label}` : carried.card.label;
    return [
      h("b", {}, say("{thing}: tap a place.", { thing })),
      goal && button(`→ ${this.nameOf(goal)}`, () => this.move(goal.id), { "data-goal": goal.id }),
      most > 1 && button("−", () => step(-1), { "aria-label": say("One less") }),
      most > 1 && button("+", () => step(1), { "aria-label": say("One more") }),
      form,
      cancel,
    ].filter(isShown);
  }

  /** @param {Spot} spot */
  nameOf(spot) {
    return spot.seat ? `${this.table.name(spot.seat)}: ${spot.title}` : spot.title;
  }

  /** A button for each value of a meter, or for changes of a large one. @param {Dial} dial */
  values(dial) {
    /** @type {Schema} */
    const params = this.range("meter", "value")?.params ?? {};
    const ways = params.anyOf ?? [];
    const parts = ways.map((way) => way.properties ?? {}).filter(({ meter }) => meter?.const === dial.id);
    const value = parts.find((way) => way.value?.type !== "null")?.value ?? {};
    const least = value.minimum ?? 0;
    const most = value.maximum ?? 0;
    const button = (/** @type {object} */ change, /** @type {string} */ label) =>
      h(
        "button",
        { type: "button", class: "button", "data-value": label, onclick: () => this.set(dial, change, label) },
        label,
      );
    if (value.enum) return value.enum.map((one) => button({ value: one }, String(one)));
    if (most - least <= MOST_VALUES)
      return Array.from({ length: most - least + 1 }, (_, at) => button({ value: least + at }, String(least + at)));
    const now = Number(dial.value);
    return CHANGES.filter((by) => now + by >= least && now + by <= most).map((by) =>
      button({ by }, by < 0 ? `−${-by}` : `+${by}`),
    );
  }

  /** @param {Dial} dial @param {object} params @param {string} label */
  set(dial, params, label) {
    const range = this.range("meter", "value");
    if (!range || this.listeners.isLocked()) return;
    const actor = this.actor(dial.seat);
    const whose = dial.seat && dial.seat !== actor ? { seat: dial.seat } : {};
    this.choose();
    this.listeners.record(
      { type: range.type, actor, params: { meter: dial.id, ...params, ...whose } },
      `${dial.title}: ${label}`,
    );
  }

  /** @param {string} id */
  spotOf(id) {
    return this.summary?.spots?.find((spot) => spot.id === id);
  }

  /** Handle a tap on a place; return false if it has no meaning here. @param {string} id */
  onPlace(id) {
    const spot = this.spotOf(id);
    if (!spot || this.host.hidden) return false;
    if (this.carried) this.move(id);
    else if (spot.cards.length > 0) this.choose({ carried: { spot, card: spot.cards[0], count: 1 } });
    return true;
  }

  /** Move the carried things to a place. @param {string} to */
  move(to) {
    const { carried } = this;
    const range = this.range("thing", "from", "to");
    if (!carried || !range || this.listeners.isLocked()) return;
    const { spot, card, count } = carried;
    this.choose();
    if (to === spot.id) return;
    this.last.set(spot.id, to);
    const params = { thing: card.place, from: spot.id, to, count };
    const actor = this.actor(spot.seat);
    this.listeners.record({ type: range.type, actor, params }, `${card.label} → ${this.spotOf(to)?.title ?? to}`);
  }

  /** The ids of all places. */
  get places() {
    return new Set((this.summary?.spots ?? []).map(({ id }) => id));
  }
}
