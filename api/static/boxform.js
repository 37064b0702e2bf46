// The parts of a box as lists of rows.

import { buttonRow, diceRow, meterRow, placeRow, thingRow } from "./boxrows.js";
import { $, $$, h } from "./ui.js";
import { say } from "./words.js";

/** @typedef {import("./boxrows.js").Document} Document */
/** @typedef {import("./boxrows.js").Row} Row */

/** A list of rows in a fold of the page, for one kind of part. */
class Part {
  /** @param {string} id @param {(given?: any) => Row} make @param {() => void} onChange */
  constructor(id, make, onChange) {
    this.host = $(id);
    this.make = make;
    this.onChange = onChange;
    /** @type {Row[]} */
    this.rows = [];
    const [add] = $$("[data-add]", this.host);
    add.addEventListener("click", () => {
      this.add();
      onChange();
      $$("input, textarea", /** @type {HTMLElement} */ (this.rows.at(-1)?.element))[0]?.focus();
    });
  }

  /** @param {any[]} given */
  fill(given) {
    for (const row of this.rows) row.element.remove();
    this.rows = [];
    for (const one of given) this.add(one);
    this.number();
  }

  /** @param {any} [given] */
  add(given) {
    const row = this.make(given);
    row.element.classList.add("part-row");
    const remove = h("button", { type: "button", class: "button quiet" }, say("Remove"));
    remove.addEventListener("click", () => {
      this.rows.splice(this.rows.indexOf(row), 1);
      row.element.remove();
      this.number();
      this.onChange();
    });
    row.element.append(remove);
    this.rows.push(row);
    $$(".rows", this.host)[0].append(row.element);
    this.number();
  }

  number() {
    const [chip] = $$("[data-count]", this.host);
    chip.textContent = String(this.rows.length);
    chip.hidden = this.rows.length === 0;
  }

  /** Read all rows; their fields get their pointers. @param {string} name @param {number} [first] */
  read(name, first = 0) {
    return this.rows.map(({ element, read }, at) => {
      element.dataset.pointer = `/options/box/${name}/${first + at}`;
      for (const one of $$("[data-part]", element))
        one.dataset.pointer = `${element.dataset.pointer}/${one.dataset.part}`;
      return read();
    });
  }
}

/** All parts of a box. */
export class BoxForm {
  constructor() {
    const offer = () => this.offer();
    this.own = new Part("own", (given) => placeRow(given, { isOwn: true, onChange: offer }), offer);
    this.middle = new Part("middle", (given) => placeRow(given, { isOwn: false, onChange: offer }), offer);
    this.things = new Part("things", (given = {}) => thingRow(given, () => this.places), offer);
    this.dice = new Part("dice", (given) => diceRow(given), offer);
    /** @type {string[]} */
    this.score = [];
    this.meters = new Part(
      "meters",
      (given) => meterRow(given, { isScore: this.score.includes(given?.id), onChange: offer }),
      offer,
    );
    this.buttons = new Part("buttons", (given) => buttonRow(given, () => this.lines.filter(isNumber)), offer);
  }

  get places() {
    const own = this.own.read("places");
    return [...own, ...this.middle.read("places", own.length)];
  }

  get lines() {
    return this.meters.read("meters");
  }

  /** Update the lists of places and lines in all rows. */
  offer() {
    for (const row of [...this.things.rows, ...this.buttons.rows]) row.offer?.();
  }

  /** @param {Document} box */
  fill(box) {
    const places = box.places ?? [];
    const isOwn = (/** @type {Document} */ one) => one.per_player || one.kind === "hand";
    this.score = box.score ?? [];
    this.own.fill(places.filter(isOwn));
    this.middle.fill(places.filter((/** @type {Document} */ one) => !isOwn(one)));
    // A thing can be a text: a list of cards in the first pile.
    const pile = places.find((/** @type {Document} */ { kind }) => kind === "pile")?.id;
    const things = /** @type {(Document | string)[]} */ (box.things ?? []);
    this.things.fill(things.map((one) => (typeof one === "string" ? { cards: one, place: pile } : one)));
    this.dice.fill(box.dice ?? []);
    this.meters.fill(box.meters ?? []);
    this.buttons.fill(box.buttons ?? []);
    this.offer();
  }

  /** @returns {Document} */
  read() {
    const { lines } = this;
    return {
      places: this.places,
      things: this.things.read("things"),
      dice: this.dice.read("dice"),
      meters: lines.map(({ isScore, ...meter }) => meter),
      score: lines.filter(({ isScore }) => isScore).map(({ id }) => id),
      buttons: this.buttons.read("buttons"),
    };
  }
}

/** @param {Document} meter */
function isNumber({ words }) {
  return !words?.length;
}
