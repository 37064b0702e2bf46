// The state of a setup in pictures: every place with its value, filled in any order. It contains no rules of any game.

/** @typedef {string | number} Value */
/**
 * @typedef {{value: Value, label: string, short: string, symbol: string | null, tint: string | null, form: string | null, colour: string | null, start: Value | null}} Choice
 */
/**
 * The facts of a part of a late page; see `engine/kit/setup_page.py`.
 * @typedef {{facts: Record<string, unknown>[], member: string, rest: Record<string, unknown> | null, size: string,
 *   count: string, unknown: Value | null, returns: boolean, is_optional: boolean, coordinates: string[], ids: Value[],
 *   means: Record<string, Record<string, unknown>[]>}} Report
 */
/** @typedef {{title: string, symbol: string | null, tint: string | null, choices: Choice[]}} Family */
/**
 * The input for one group of places; `at` has their indexes in the setup, `screen` the number of its step.
 * @typedef {{group: string, kind: "lay" | "mark" | "deal" | "walk" | "find" | "rank" | "state" | "list" | "stand" | "pick", ask: string, names: string[], families: Family[], slots: string[],
 *   pictures: string[], title: string, note: string, choices: Choice[], range: number[] | null, owners: Choice[], of: string, each: number, value: Value | null, connect: number, report: Report | null}} Declared
 * @typedef {Declared & {at: number[], screen: number}} Part
 */
/** @typedef {{at: number[], picture: string, label: string, value: Value | null}} Cell */
/** @typedef {{steps: {title: string, parts: Declared[]}[], ready: string, backdrop: string, cells: Cell[]}} Page */
/** @typedef {(Value | null)[]} Given */

/** The sides of a hexagon as steps in axial coordinates, clockwise. */
const SIDES = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];
/** The kinds of parts that are completed automatically when only one value is left. */
const FORCED = ["lay", "find", "rank"];

export class Table {
  /**
   * @param {{places: Place[], piles: Pile[]}} plan  the places of the setup
   * @param {Page} page
   * @param {{given: Given, steps: Given[], passed?: number[]} | null} [kept]
   */
  constructor({ places, piles }, page, kept) {
    this.places = places;
    this.piles = piles;
    /** @type {Part[]} */
    this.parts = page.steps.flatMap(({ parts }, screen) =>
      parts.map((part) => ({ ...part, screen, at: this.indexes(part.group) })),
    );
    const isFitting = kept?.given?.length === places.length && Array.isArray(kept.steps);
    /** The value at each place; null if empty. @type {Given} */
    this.given = isFitting ? kept.given : [];
    /** The values before each tap, for undo. @type {Given[]} */
    this.steps = isFitting ? kept.steps : [];
    /** The screens of a late page that the user has completed, although places are empty. */
    this.passed = new Set(isFitting ? kept.passed : []);
    // Stored values for other piles are useless here.
    if (!isFitting || this.parts.some((part) => [...this.remaining(part).values()].some((count) => count < 0))) {
      [this.given, this.steps] = [places.map(() => null), []];
    }
  }

  get snapshot() {
    return { given: this.given, steps: this.steps, passed: [...this.passed] };
  }

  /** @param {string} group */
  indexes(group) {
    return this.places.flatMap((place, index) => (place.group === group ? [index] : []));
  }

  /** @param {Part} part */
  values(part) {
    return part.at.map((index) => this.given[index]);
  }

  /** The place of a part with this value; -1 if there is none. @param {Part} part @param {Value | null} value */
  find(part, value) {
    return value === null ? -1 : this.values(part).indexOf(value);
  }

  /** The first empty place of a part; -1 if it is complete. @param {Part} part */
  next(part) {
    return this.values(part).indexOf(null);
  }

  /** True if places of a part must be filled. @param {Part} part */
  isMissing(part) {
    return !part.report?.is_optional && this.next(part) >= 0;
  }

  /** The first incomplete screen. */
  get screen() {
    return this.parts.find((part) => this.isMissing(part) || this.isUnseen(part.screen))?.screen ?? null;
  }

  /** True if nothing must be entered on a screen, and the user has not completed it. @param {number} screen */
  isUnseen(screen) {
    const parts = this.parts.filter((part) => part.screen === screen);
    return !this.passed.has(screen) && parts.every((part) => part.report?.is_optional);
  }

  /** True if a value can be chosen once more. @param {Part} part @param {Value} value */
  has(part, value) {
    return Boolean(part.range) || (this.remaining(part).get(value) ?? 0) > 0;
  }

  /** The name that facts use for a place of the board: its own, or that of its tile. @param {Part} part @param {number} place */
  idAt(part, place) {
    return part.report?.ids[place] ?? this.given[part.at[place]];
  }

  /** The number of each value left in the pile of a part. @param {Part} part @returns {Map<Value, number>} */
  remaining(part) {
    const { pile } = this.places[part.at[0]];
    const { outcomes = [], returns = false } = this.piles[pile ?? -1] ?? {};
    const left = new Map(outcomes.map(({ value, count }) => [value, count ?? 1]));
    if (returns) return left;
    this.given.forEach((value, index) => {
      if (value !== null && this.places[index].pile === pile) left.set(value, (left.get(value) ?? 0) - 1);
    });
    return left;
  }

  /** The places of a part that belong to a seat. @param {Part} part @param {number} seat */
  seatPlaces(part, seat) {
    return part.at.slice(seat * part.each, (seat + 1) * part.each);
  }

  /** Change these places in one step, undone as one. @param {[index: number, value: Value | null][]} changes */
  put(changes) {
    if (changes.every(([index, value]) => this.given[index] === value)) return;
    this.steps.push([...this.given]);
    for (const [index, value] of changes) this.given[index] = value;
    for (const part of this.parts) if (FORCED.includes(part.kind)) this.force(part);
  }

  /** Fill the rest automatically: only one kind of component is left. @param {Part} part */
  force(part) {
    const left = [...this.remaining(part)].filter(([, count]) => count > 0);
    const empty = part.at.filter((index) => this.given[index] === null);
    if (left.length === 1 && left[0][1] === empty.length) for (const index of empty) this.given[index] = left[0][0];
  }

  /**
   * Place a tile; if none is left, the one that is placed elsewhere swaps.
   * @param {Part} part
   * @param {number} place
   * @param {Value} value
   */
  lay(part, place, value) {
    const other = (this.remaining(part).get(value) ?? 0) > 0 ? -1 : this.find(part, value);
    /** @type {[number, Value | null][]} */
    const changes = [[part.at[place], value]];
    if (other >= 0) changes.unshift([part.at[other], this.given[part.at[place]]]);
    this.put(changes);
  }

  /** Mark a tile or a player, or clear its mark; equal marks close up. @param {Part} part @param {Value} value */
  mark(part, value) {
    const was = this.values(part);
    const found = this.find(part, value);
    if (found < 0) {
      const next = part.at.length === 1 ? 0 : this.next(part);
      if (next >= 0 && this.has(part, value)) this.put([[part.at[next], value]]);
      return;
    }
    /** @type {Given} */
    const rest = part.slots.length ? was.with(found, null) : [...was.toSpliced(found, 1), null];
    this.put(part.at.map((index, place) => [index, rest[place]]));
  }

  /** The state of a tile; null if it has none of the states. @param {Part} part @param {Value | null} tile */
  stateOf(part, tile) {
    const place = part.families.flatMap((family) => family.choices).findIndex(({ value }) => value === tile);
    return { place, state: this.given[part.at[place]] ?? null };
  }

  /** The place of a thing in a list, as another part says; null: not on the table. @param {Part} part @param {number} place */
  homeOf(part, place) {
    const home = this.parts.find(({ group }) => group === part.of);
    return home ? this.given[home.at[place]] : "";
  }

  /** Give a tile its next state; after the last one, none. @param {Part} part @param {Value} tile */
  turn(part, tile) {
    const { place, state } = this.stateOf(part, tile);
    const next = part.choices.findIndex(({ value }) => value === state) + 1;
    this.put([[part.at[place], part.choices[next]?.value ?? null]]);
  }

  /** Put the component to find at a place, or remove it there. @param {Part} part @param {number} place */
  toggle(part, place) {
    const found = this.values(part).map((value) => (value === part.value ? value : null));
    found[place] = found[place] === null ? part.value : null;
    if (this.found(part) < part.names.length || found[place] === null) {
      this.put(part.at.map((index, number) => [index, found[number]]));
    }
  }

  /** The number of components found. @param {Part} part */
  found(part) {
    return this.values(part).filter((value) => value === part.value).length;
  }

  /** The hexagons of a walk, and the direction of side 1 of the last one. @param {Part} part */
  path(part) {
    const laid = [[0, 0]];
    let turned = 0;
    for (const value of this.values(part)) {
      if (value === null) break;
      const direction = (turned + Number(value) - 1) % 6;
      laid.push(beside(laid[laid.length - 1], SIDES[direction]));
      turned = (direction + 10 - part.connect) % 6;
    }
    return { laid, turned };
  }

  /** Columns and rows of hexagons, each two columns wide. @param {number[][]} hexagons */
  inGrid(hexagons) {
    const left = Math.min(...hexagons.map(([q, r]) => 2 * q + r));
    const top = Math.min(...hexagons.map(([, r]) => r));
    return hexagons.map(([q, r]) => [2 * q + r - left + 1, r - top + 1]);
  }

  /** The free places beside the last hexagon, each with its value. @param {Part} part */
  ahead(part) {
    const { laid, turned } = this.path(part);
    return SIDES.map((side, direction) => ({
      at: beside(laid[laid.length - 1], side),
      value: ((direction - turned + 6) % 6) + 1,
    })).filter(({ at }) => this.next(part) >= 0 && !laid.some((one) => String(one) === String(at)));
  }

  /**
   * Deal to a seat: into its first empty place, or replace its only one.
   * @param {Part} part
   * @param {number} seat
   * @param {Value} value
   */
  deal(part, seat, value) {
    const places = this.seatPlaces(part, seat);
    const empty = places.find((index) => this.given[index] === null) ?? (part.each === 1 ? places[0] : undefined);
    if (empty !== undefined && this.has(part, value)) this.put([[empty, value]]);
  }

  /** Clear everything dealt to a seat on a screen. @param {number} screen @param {number} seat */
  clear(screen, seat) {
    const dealt = this.parts.filter((part) => part.screen === screen && ["deal", "stand"].includes(part.kind));
    this.put(dealt.flatMap((part) => this.seatPlaces(part, seat)).map((index) => [index, null]));
  }

  /**
   * Fill the empty places of a screen at random.
   * @param {number} screen
   * @param {() => number} random  from 0 to below 1
   */
  fill(screen, random) {
    const before = [...this.given];
    for (const part of this.parts.filter((one) => one.screen === screen)) {
      while (part.kind === "walk" && this.next(part) >= 0) {
        const free = this.ahead(part);
        this.given[part.at[this.next(part)]] = free[Math.floor(random() * free.length)].value;
      }
      const choices = part.kind === "lay" ? part.families.flatMap((family) => family.choices) : part.choices;
      const offered = choices.map(({ value }) => value);
      const left = [...this.remaining(part)].filter(([value]) => !offered.length || offered.includes(value));
      const cards = left.flatMap(([value, count]) => Array.from({ length: count }, () => value));
      for (const index of part.at.filter((one) => this.given[one] === null)) {
        this.given[index] = cards.splice(Math.floor(random() * cards.length), 1)[0];
      }
    }
    this.steps.push(before);
  }

  /** Undo the last step. */
  undo() {
    this.given = this.steps.pop() ?? this.given;
  }

  /** The places that the last step filled. */
  get latest() {
    const before = this.steps.at(-1) ?? [];
    return this.given.flatMap((value, index) => (value !== null && value !== before[index] ? [index] : []));
  }

  /** The part of a place, and the index within it. @param {number} index @returns {[Part, number] | null} */
  partOf(index) {
    const part = this.parts.find(({ at }) => at.includes(index));
    return part ? [part, part.at.indexOf(index)] : null;
  }

  /** The label of a value of a part. @param {Part} part @param {Value | null} value */
  label(part, value) {
    const choices = [...part.choices, ...part.families.flatMap((family) => family.choices)];
    const outcomes = this.piles[this.places[part.at[0]].pile ?? -1]?.outcomes ?? [];
    return [...choices, ...outcomes].find((one) => one.value === value)?.label ?? String(value ?? "");
  }
}

/** @param {number[]} hexagon @param {number[]} side */
function beside([q, r], [x, y]) {
  return [q + x, r + y];
}
