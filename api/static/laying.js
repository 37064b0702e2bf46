// The state of a setup, stored on the phone. The possible values are computed here, from the piles that the service
// lists; the service is asked only if the next place depends on a result. This file contains no rules of any game.

/** @typedef {string | number} Value */
/** @typedef {{value: Value, label: string, at?: number[] | null, p: number, isLaid: boolean}} Choice */
/** @typedef {{given: Value[], steps: Value[][], held: Value[], places: Place[], piles: Pile[]}} Kept */

export class Laying {
  /** @param {Partial<Kept> | null} kept */
  constructor(kept) {
    const { given = [], steps = [], held = [], places = [], piles = [] } = kept ?? {};
    /** The results, in the order of the places. */
    this.given = given;
    /** The earlier `given` lists, one for each tap, so that taps can be undone. */
    this.steps = steps;
    /** The places that the last tap filled besides its own, because only one value was possible. @type {number[]} */
    this.forced = [];
    /** The tapped values for places that come after an empty place. */
    this.held = held;
    this.places = places;
    this.piles = piles;
  }

  /** @returns {Kept} */
  get snapshot() {
    const { given, steps, held, places, piles } = this;
    return { given, steps, held, places, piles };
  }

  get isWhole() {
    return this.places.length > 0 && this.given.length >= this.places.length;
  }

  /** @param {number} index @returns {Pile | null} */
  pile(index) {
    const number = this.places[index]?.pile;
    return number === null || number === undefined ? null : (this.piles[number] ?? null);
  }

  /** Return the label of the value at a place. @param {number} index */
  label(index) {
    const value = this.given[index];
    const outcome = this.pile(index)?.outcomes.find((one) => one.value === value);
    return outcome?.label ?? String(value);
  }

  /** Return the filled places that are drawn from the same pile as this one. @param {number} index */
  mates(index) {
    const { pile } = this.places[index] ?? {};
    return this.given.map((_, at) => at).filter((at) => at !== index && this.places[at]?.pile === pile);
  }

  /**
   * Return the possible values at a place: the rest of its pile and, if the place is filled, values to swap with.
   * @param {number} index
   * @returns {Choice[]}
   */
  choices(index) {
    const pile = this.pile(index);
    if (!pile) return [];
    const laid = pile.returns ? [] : this.mates(index).map((at) => this.given[at]);
    const left = pile.outcomes.map((outcome) => ({
      ...outcome,
      number: (outcome.count ?? 1) - laid.filter((value) => value === outcome.value).length,
    }));
    const total = left.reduce((sum, { number }) => sum + Math.max(0, number), 0);
    const isChange = index < this.given.length;
    return left
      .filter(({ number }) => number > 0 || isChange)
      .map(({ value, label, at, number }) => ({
        value,
        label,
        at,
        p: Math.max(0, number) / total,
        isLaid: number <= 0,
      }));
  }

  /** @param {Value} value @param {number} index */
  fits(value, index) {
    return this.choices(index).some((one) => one.value === value && !one.isLaid);
  }

  /** Return true if only the service knows the places after this one. @param {number} index */
  isOpen(index) {
    return this.pile(index)?.is_open ?? true;
  }

  /** Fill the next place. @param {Value} value */
  push(value) {
    this.given.push(value);
    this.grow(this.given.length - 1, 1);
  }

  /** Add or remove later places that depend on the value at a place. @param {number} index @param {1 | -1} by */
  grow(index, by) {
    const more = this.pile(index)?.outcomes.find(({ value }) => value === this.given[index])?.more ?? 0;
    const copies = Array.from({ length: by > 0 ? more : 0 }, () => this.places[index]);
    this.places.splice(index + 1, by > 0 ? 0 : more, ...copies);
  }

  /** Put a value at the next place, then fill the places with only one possible value. @param {Value} value */
  lay(value) {
    this.steps.push([...this.given]);
    this.forced = [];
    this.push(value);
    const { held } = this;
    this.held = [];
    this.append(held);
    this.force();
  }

  /** Put a value at a filled place, swapping if needed. @param {number} index @param {Value} value */
  put(index, value) {
    this.forced = [];
    if (this.given[index] === value) return;
    this.steps.push([...this.given]);
    if (!this.fits(value, index)) {
      const other = this.mates(index).find((at) => this.given[at] === value);
      if (other !== undefined) this.given[other] = this.given[index];
    }
    this.grow(index, -1);
    this.given[index] = value;
    this.grow(index, 1);
  }

  undo() {
    const before = this.steps.pop() ?? this.given.slice(0, -1);
    for (let last = this.given.length - 1; last >= before.length; last -= 1) this.grow(last, -1);
    this.given = before;
    this.held = [];
  }

  /** Fill the places that have only one possible value. */
  force() {
    while (!this.isWhole && this.held.length === 0) {
      const next = this.given.length;
      const choices = this.choices(next);
      if (choices.length !== 1 || this.isOpen(next) || this.pile(next)?.returns) return;
      this.forced.push(next);
      this.push(choices[0].value);
    }
  }

  /**
   * Fill the rest at random, as far as the next places are known here.
   * @param {() => number} random  from 0 to below 1
   */
  fill(random) {
    this.steps.push([...this.given]);
    while (!this.isWhole) {
      const choices = this.choices(this.given.length);
      if (choices.length === 0) return;
      let point = random();
      const came = choices.find(({ p }) => {
        point -= p;
        return point < 0;
      });
      this.push((came ?? choices[choices.length - 1]).value);
    }
  }

  /**
   * Apply the service's answer: the current places, and the first impossible value.
   * @param {{places: Place[], piles: Pile[], impossible?: number}} answer
   * @returns {number}  how many taps no longer fit and were removed
   */
  receive({ places, piles, impossible }) {
    Object.assign(this, { places, piles });
    if (impossible === undefined) return 0;
    const rest = this.given.slice(impossible);
    this.given = this.given.slice(0, impossible);
    return this.append([...rest, ...this.held]);
  }

  /**
   * Put these values where they fit. A value that fits only a later place is held until the places before it are
   * filled; others are skipped.
   * @param {Value[]} values
   * @returns {number}  how many were skipped
   */
  append(values) {
    let left = 0;
    for (const [number, value] of values.entries()) {
      const next = this.given.length;
      if (this.fits(value, next)) this.push(value);
      else if (this.places.some((_, index) => index > next && this.fits(value, index))) {
        this.held = values.slice(number);
        return left;
      } else left += 1;
    }
    return left;
  }
}
