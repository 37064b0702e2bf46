// What a table says of itself, in the facts that its ruleset declares, and what it is to say instead.

import { lowered, say } from "../words.js";
import { namer, OWNED } from "./table.js";

/** A fact that holds, and how a player says it. @typedef {{fact: Fact, sentence: string}} Said */

const SEAT = /^p\d$/;

export class Facts {
  /**
   * @param {Pick<Ruleset, "facts" | "words" | "titles">} ruleset  which facts it declares: what is derived follows, and is left out
   * @param {FactList} told  what the table says now
   * @param {string[]} players  the names, by seat
   */
  constructor(ruleset, told, players) {
    this.players = players;
    this.titles = ruleset.titles;
    /** What puts a name to an id. */
    this.name = namer(ruleset.words, players);
    this.kinds = new Map(ruleset.facts.filter((kind) => !kind.is_derived).map((kind) => [kind.fact, kind]));
    /** @type {Said[]} */
    this.said = told.facts
      .map((fact, index) => ({ fact, sentence: told.sentences[index] }))
      .filter(({ fact }) => this.kinds.has(String(fact.fact)));
    /** What is to be so, by what it speaks of. @type {Map<string, Fact>} */
    this.changes = new Map();
  }

  /** @param {Fact} fact */
  kindOf(fact) {
    return /** @type {FactType} */ (this.kinds.get(String(fact.fact)));
  }

  /** Of what a fact speaks: nothing else is said of that. @param {Fact} fact */
  subject(fact) {
    return JSON.stringify([fact.fact, ...this.kindOf(fact).about.map((key) => fact[key])]);
  }

  /** What the table says of that of which `fact` speaks. @param {Fact} fact */
  saidOf(fact) {
    const subject = this.subject(fact);
    return this.said.find((one) => this.subject(one.fact) === subject);
  }

  /** From now on `fact` is to hold; what holds already is no change. @param {Fact} fact */
  change(fact) {
    const now = this.saidOf(fact)?.fact;
    const isSo =
      now && Object.entries(fact).every(([key, value]) => JSON.stringify(value) === JSON.stringify(now[key]));
    if (isSo) this.changes.delete(this.subject(fact));
    else this.changes.set(this.subject(fact), fact);
  }

  /** Say these instead of all that was changed. @param {Fact[]} facts */
  changeTo(facts) {
    this.changes.clear();
    for (const fact of facts) this.change(fact);
  }

  /** What is said with all of those words in it. @param {string} text */
  search(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.said.filter(({ sentence }) => wanted.every((word) => sentence.toLowerCase().includes(word)));
  }

  /** What is said, under the kinds of facts. @returns {Map<string, Said[]>} */
  byKind() {
    return this.grouped(({ fact }) => this.title(this.kindOf(fact)));
  }

  /** What is said, under the names of the players whom it names, and the rest last. @returns {Map<string, Said[]>} */
  byPlayer() {
    const table = say("The table");
    const groups = this.grouped(({ fact }) =>
      String(Object.values(fact).find((one) => SEAT.test(String(one))) ?? table),
    );
    const seats = [...this.players.keys()].map((index) => `p${index + 1}`).filter((seat) => groups.has(seat));
    return new Map([...seats, table].map((key) => [this.name(key), groups.get(key) ?? []]));
  }

  /** @param {(said: Said) => string} keyOf */
  grouped(keyOf) {
    /** @type {Map<string, Said[]>} */
    const groups = new Map();
    for (const one of this.said) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
    return groups;
  }

  /** "How many of a card a player has". @param {FactType} kind */
  title(kind) {
    return kind.summary.replace(/\.$/, "");
  }

  /** "Ann has the Sandbags. Now: count 0." @param {Fact} fact */
  sentence(fact) {
    const kind = this.kindOf(fact);
    const about = kind.about.map((key) => this.spoken(fact[key])).join(", ");
    const was = this.saidOf(fact)?.sentence ?? `${this.title(kind)}${about && `: ${about}`}.`;
    const values = Object.entries(fact).filter(([key]) => key !== "fact" && !kind.about.includes(key));
    const now = values.map(([key, value]) => this.value(kind, key, value)).join(", ");
    return `${was} ${say("Now: {what}.", { what: now })}`;
  }

  /** A name says what it is of, a number does not. @param {FactType} kind @param {string} key @param {unknown} value */
  value(kind, key, value) {
    if (key === "yes" || typeof value === "string") return this.spoken(value);
    const { properties } = /** @type {Schema} */ (kind.schema);
    const title = this.titles[properties?.[key]?.title ?? key];
    return `${lowered(title)} ${this.spoken(value)}`;
  }

  /** @param {unknown} value @returns {string} */
  spoken(value) {
    if (Array.isArray(value)) return value.length ? value.map((one) => this.spoken(one)).join(", ") : say("none");
    if (value === null) return say("none");
    if (typeof value === "boolean") return value ? say("yes") : say("no");
    return typeof value === "string" ? this.name(value) : String(value);
  }

  /**
   * The schema of a form for a fact of that kind: at this table, and, where one is given, about the same as `fact`.
   * @param {FactType} kind
   * @param {Fact} [fact]
   * @returns {Schema}
   */
  schema(kind, fact) {
    /** @type {Schema} */
    const schema = JSON.parse(JSON.stringify(kind.schema), (key, part) => (key === "enum" ? this.atTable(part) : part));
    const fixed = fact ? ["fact", ...kind.about] : ["fact"];
    const given = fact ?? { fact: kind.fact };
    const said = Object.fromEntries(fixed.map((key) => [key, { const: given[key] }]));
    return { ...schema, properties: { ...schema.properties, ...said } };
  }

  /** What may be chosen, less the seats that nobody has, and what would be theirs. @param {unknown[]} values */
  atTable(values) {
    return values.filter((one) => {
      const seat = OWNED.exec(String(one))?.[1];
      return !seat || Number(seat.slice(1)) <= this.players.length;
    });
  }
}
