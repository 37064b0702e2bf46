// The state of a setup in pictures: every place with its value, filled in any order. Knows no game.

/** @typedef {string | number} Value */
/**
 * @typedef {{value: Value, label: string, short: string, symbol: string | null, tint: string | null, form: string | null, colour: string | null, start: Value | null}} Choice
 */
/** @typedef {{title: string, symbol: string | null, tint: string | null, choices: Choice[]}} Family */
/**
 * The input for one group of places; `at` has their indexes in the setup, `screen` the number of its step.
 * @typedef {{group: string, kind: "lay" | "mark" | "deal", ask: string, names: string[], families: Family[], slots: string[],
 *   pictures: string[], title: string, note: string, choices: Choice[], each: number}} Declared
 * @typedef {Declared & {at: number[], screen: number}} Part
 */
/** @typedef {{at: number[], picture: string, label: string, value: Value | null}} Cell */
/** @typedef {{steps: {title: string, parts: Declared[]}[], ready: string, backdrop: string, cells: Cell[]}} Page */
/** @typedef {(Value | null)[]} Given */

export class Table {
  /**
   * @param {{places: Place[], piles: Pile[]}} plan  the places of the setup
   * @param {Page} page
   * @param {{given: Given, steps: Given[]} | null} [kept]
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
    // Stored values for other piles are useless here.
    if (!isFitting || this.parts.some((part) => [...this.left(part).values()].some((count) => count < 0))) {
      [this.given, this.steps] = [places.map(() => null), []];
    }
  }

  get kept() {
    return { given: this.given, steps: this.steps };
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

  /** The first incomplete screen. */
  get screen() {
    return this.parts.find((part) => this.next(part) >= 0)?.screen ?? null;
  }

  /** The number of each value left in the pile of a part. @param {Part} part @returns {Map<Value, number>} */
  left(part) {
    const { pile } = this.places[part.at[0]];
    const left = new Map((this.piles[pile ?? -1]?.outcomes ?? []).map(({ value, count }) => [value, count ?? 1]));
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
    for (const part of this.parts) if (part.kind === "lay") this.force(part);
  }

  /** Place the last tile automatically: only one place is left. @param {Part} part */
  force(part) {
    const empty = part.at.filter((index) => this.given[index] === null);
    const left = [...this.left(part)].filter(([, count]) => count > 0);
    if (empty.length === 1 && left.length === 1) this.given[empty[0]] = left[0][0];
  }

  /**
   * Place a tile; a tile that is already placed elsewhere swaps.
   * @param {Part} part
   * @param {number} place
   * @param {Value} value
   */
  lay(part, place, value) {
    const other = this.find(part, value);
    /** @type {[number, Value | null][]} */
    const changes = [[part.at[place], value]];
    if (other >= 0) changes.unshift([part.at[other], this.given[part.at[place]]]);
    this.put(changes);
  }

  /** Mark a tile, or clear its mark; equal marks close up. @param {Part} part @param {Value} value */
  mark(part, value) {
    const was = this.values(part);
    const found = this.find(part, value);
    if (found < 0) {
      const next = this.next(part);
      if (next >= 0 && (this.left(part).get(value) ?? 0) > 0) this.put([[part.at[next], value]]);
      return;
    }
    /** @type {Given} */
    const rest = part.slots.length ? was.with(found, null) : [...was.toSpliced(found, 1), null];
    this.put(part.at.map((index, place) => [index, rest[place]]));
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
    if (empty !== undefined && (this.left(part).get(value) ?? 0) > 0) this.put([[empty, value]]);
  }

  /** Clear everything dealt to a seat on a screen. @param {number} screen @param {number} seat */
  clear(screen, seat) {
    const dealt = this.parts.filter((part) => part.screen === screen && part.kind === "deal");
    this.put(dealt.flatMap((part) => this.seatPlaces(part, seat)).map((index) => [index, null]));
  }

  /**
   * Fill the empty places of a screen at random.
   * @param {number} screen
   * @param {() => number} random  from 0 to below 1
   */
  fill(screen, random) {
    /** @type {[number, Value][]} */
    const changes = [];
    for (const part of this.parts.filter((one) => one.screen === screen)) {
      const offered = [...part.families.flatMap(({ choices }) => choices), ...part.choices].map(({ value }) => value);
      const left = [...this.left(part)].filter(([value]) => !offered.length || offered.includes(value));
      const cards = left.flatMap(([value, count]) => Array.from({ length: count }, () => value));
      for (const index of part.at.filter((one) => this.given[one] === null)) {
        changes.push([index, cards.splice(Math.floor(random() * cards.length), 1)[0]]);
      }
    }
    this.put(changes);
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
    const pile = this.piles[this.places[part.at[0]].pile ?? -1];
    return pile?.outcomes.find((one) => one.value === value)?.label ?? String(value ?? "");
  }
}
