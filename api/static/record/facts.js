// The facts of a table, as its ruleset declares them, and the changes to them.

import { lowerCase, say } from "../words.js";
import { namer, OWNED } from "./table.js";

/** A true fact and its sentence. @typedef {{fact: Fact, sentence: string}} Said */

const SEAT = /^p\d$/;
/** The subject of a fact about everything that no other fact names. */
const REST = "rest";
/** The maximum number of values for which there are buttons. */
const MOST_VALUES = 4;

export class Facts {
  /**
   * @param {Pick<Ruleset, "facts" | "words" | "titles">} ruleset  with the declared facts; derived facts are omitted
   * @param {FactList} told  the current facts
   * @param {string[]} players  the names, by seat
   */
  constructor(ruleset, told, players) {
    this.players = players;
    this.titles = ruleset.titles;
    const named = namer(ruleset.words, players);
    /** Returns the name of an id. */
    this.name = (/** @type {string} */ text) => (text === REST ? say("all others") : named(text));
    this.kinds = new Map(ruleset.facts.filter((kind) => !kind.is_derived).map((kind) => [kind.fact, kind]));
    /** @type {Said[]} */
    this.said = told.facts
      .map((fact, index) => ({ fact, sentence: told.sentences[index] }))
      .filter(({ fact }) => this.kinds.has(String(fact.fact)));
    /** The changed facts, by subject. @type {Map<string, Fact>} */
    this.changes = new Map();
  }

  /** @param {Fact} fact */
  kindOf(fact) {
    return /** @type {FactType} */ (this.kinds.get(String(fact.fact)));
  }

  /** The subject of a fact: at most one fact has it. @param {Fact} fact */
  subject(fact) {
    return JSON.stringify([fact.fact, ...this.kindOf(fact).about.map((key) => fact[key])]);
  }

  /** The current fact about the subject of `fact`. @param {Fact} fact */
  saidOf(fact) {
    const subject = this.subject(fact);
    return this.said.find((one) => this.subject(one.fact) === subject);
  }

  /** Return the subject of a fact: "Coral Palace". @param {Fact} fact */
  about(fact) {
    const values = this.kindOf(fact).about.map((key) => this.wordsFor(fact[key]));
    return [...new Set(values)].join(", ");
  }

  /**
   * Return the one member that holds the value, and its few possible values; null if one tap cannot choose.
   * @param {FactType} kind
   * @returns {{key: string, values: unknown[]} | null}
   */
  choice(kind) {
    const { properties = {} } = /** @type {Schema} */ (kind.schema);
    const [key, ...others] = Object.keys(properties).filter((one) => one !== "fact" && !kind.about.includes(one));
    if (!key || others.length > 0) return null;
    const part = properties[key];
    const values = part.type === "boolean" ? [true, false] : this.atTable(part.enum ?? []);
    return values.length > 1 && values.length <= MOST_VALUES ? { key, values } : null;
  }

  /** Return the fact about everything of a kind that is not named. @param {FactType} kind @returns {Fact} */
  rest(kind) {
    return { fact: kind.fact, ...Object.fromEntries(kind.about.map((key) => [key, REST])) };
  }

  /** Change a fact; a fact that is already true is no change. @param {Fact} fact */
  change(fact) {
    const now = this.saidOf(fact)?.fact;
    const isSo =
      now && Object.entries(fact).every(([key, value]) => JSON.stringify(value) === JSON.stringify(now[key]));
    if (isSo) this.changes.delete(this.subject(fact));
    else this.changes.set(this.subject(fact), fact);
  }

  /** Replace all changes by these facts. @param {Fact[]} facts */
  changeTo(facts) {
    this.changes.clear();
    for (const fact of facts) this.change(fact);
  }

  /** The facts whose sentence contains all words of the text. @param {string} text */
  search(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.said.filter(({ sentence }) => wanted.every((word) => sentence.toLowerCase().includes(word)));
  }

  /** The facts, grouped by kind. @returns {Map<string, Said[]>} */
  byKind() {
    return this.groupBy(({ fact }) => this.title(this.kindOf(fact)));
  }

  /** The facts, grouped by the player they name; the others come last. @returns {Map<string, Said[]>} */
  byPlayer() {
    const table = say("The table");
    const groups = this.groupBy(({ fact }) =>
      String(Object.values(fact).find((one) => SEAT.test(String(one))) ?? table),
    );
    const seats = [...this.players.keys()].map((index) => `p${index + 1}`).filter((seat) => groups.has(seat));
    return new Map([...seats, table].map((key) => [this.name(key), groups.get(key) ?? []]));
  }

  /** @param {(said: Said) => string} keyOf */
  groupBy(keyOf) {
    /** @type {Map<string, Said[]>} */
    const groups = new Map();
    for (const one of this.said) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
    return groups;
  }

  /** The title of a kind, such as "How many of a card a player has". @param {FactType} kind */
  title(kind) {
    return kind.summary.replace(/\.$/, "");
  }

  /** A changed fact as a sentence, such as "Ann has 1 Sandbags card. Now: count 0." @param {Fact} fact */
  sentence(fact) {
    const kind = this.kindOf(fact);
    const about = this.about(fact);
    const was = this.saidOf(fact)?.sentence ?? `${this.title(kind)}${about && `: ${about}`}.`;
    const values = Object.entries(fact).filter(([key]) => key !== "fact" && !kind.about.includes(key));
    const now = values.map(([key, value]) => this.value(kind, key, value)).join(", ") || say("none");
    return `${was} ${say("Now: {what}.", { what: now })}`;
  }

  /**
   * A member for a sentence: a name speaks for itself, a number needs its title.
   * @param {FactType} kind
   * @param {string} key
   * @param {unknown} value
   */
  value(kind, key, value) {
    if (key === "yes" || typeof value === "string") return this.wordsFor(value);
    const { properties } = /** @type {Schema} */ (kind.schema);
    const title = this.titles[properties?.[key]?.title ?? key];
    return `${lowerCase(title)} ${this.wordsFor(value)}`;
  }

  /** @param {unknown} value @returns {string} */
  wordsFor(value) {
    if (Array.isArray(value)) return value.length ? value.map((one) => this.wordsFor(one)).join(", ") : say("none");
    if (value === null) return say("none");
    if (typeof value === "boolean") return value ? say("yes") : say("no");
    return typeof value === "string" ? this.name(value) : String(value);
  }

  /**
   * The schema of a form for a fact of this kind at this table; if `fact` is given, about the same subject.
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

  /** The choices without `rest`, empty seats and their belongings. @param {unknown[]} values */
  atTable(values) {
    return values.filter((one) => {
      if (one === REST) return false;
      const seat = OWNED.exec(String(one))?.[1];
      return !seat || Number(seat.slice(1)) <= this.players.length;
    });
  }
}
