// The game as this page knows it: its state, the legal actions, and the story.

import { api } from "../api.js";
import { say, together } from "../words.js";
import { REWRITING } from "./history.js";

const PAGE = 1000;

/** @type {any} */
const UNREAD = null;

export class Table {
  /**
   * @param {string} url  of the game
   * @param {{first: string, rules: string, looks: Ruleset}} page
   *   `first`: the URL with everything that the page shows first; `rules`: the URL of the ruleset, of which the page
   *   has only the `looks`
   */
  constructor(url, { first, rules, looks }) {
    this.url = url;
    this.first = first;
    this.rules = rules;
    // These are unset until the game has been loaded; check `isRead` first.
    /** @type {Game} */
    this.game = UNREAD;
    /** @type {LegalActions} */
    this.legal = UNREAD;
    /** Without params, facts and words until `readRules`. */
    this.ruleset = looks;
    /** @type {Promise<Ruleset> | null} */
    this.reading = null;
    /** The story: a line for each event, from event 1 on. @type {StoryLine[]} */
    this.story = [];
  }

  /** The legal actions. A range that several seats share is that of the first one for which the game waits. */
  get now() {
    return this.legal;
  }

  set now(now) {
    const actorOf = (/** @type {LegalRange} */ { actor, seats }) =>
      now.awaiting.find((seat) => seats.includes(seat)) ?? actor;
    this.legal = now?.ranges
      ? { ...now, ranges: now.ranges.map((range) => ({ ...range, actor: actorOf(range) })) }
      : now;
  }

  get isRead() {
    return this.now !== UNREAD;
  }

  get version() {
    return this.isRead ? this.now.version : 0;
  }

  get isObserved() {
    return this.game.chance === "observed";
  }

  /** The name of a seat's player: "Ann" for "p1", "Any player" for null. @param {string | null} seat */
  name(seat) {
    if (seat === null) return say("Any player");
    const found = this.game.seats[Number(seat.slice(1)) - 1];
    return found ? found.name : seat;
  }

  /** The title of an action type. @param {string} type */
  titleOf(type) {
    const kinds = [...this.ruleset.actions, ...(this.ruleset.record_actions ?? [])];
    return kinds.find((kind) => kind.type === type)?.title ?? "";
  }

  /** The players' names as a list: "Ann", "Ann and Bob", "Ann, Bob and Cleo". @param {(string | null)[]} seats */
  names(seats) {
    return together(seats.map((seat) => this.name(seat)));
  }

  /** All data of the table, for storing. */
  get snapshot() {
    const { game, ruleset, now, story } = this;
    return { game, ruleset, now, story };
  }

  /** Restore the stored table. @param {Table["snapshot"]} kept */
  restore(kept) {
    Object.assign(this, kept);
  }

  /** Read the whole ruleset, unless this page has it. */
  async readRules() {
    if (this.ruleset.facts) return;
    this.reading ??= api(this.rules).finally(() => {
      this.reading = null;
    });
    this.ruleset = await this.reading;
  }

  /**
   * Reload everything except the ruleset. Return the picture of the board; null if the answer has none.
   * @param {string} layout
   * @returns {Promise<string | null>}
   */
  async refresh(layout) {
    const query = { include: "actions,story,board", after: this.story.length, layout, changes: "previous" };
    const asked = this.isRead ? api(this.url, { query }) : api(this.first);
    const { actions, story, board, ...game } = await asked;
    // The service leaves out what it has no time for.
    const now = actions ?? (await api(`${this.url}/actions`));
    await this.tell(story?.story ?? (await this.lines(this.story.length)));
    if (this.story.length < now.version) await this.tell(await this.lines(this.story.length));
    // The answer to a tap has already brought a newer version.
    if (now.version < this.version) return null;
    // Keep showing one version until everything of the next version has arrived.
    this.game = game;
    this.now = now;
    return now.version === game.version ? board : null;
  }

  /**
   * Apply the answer to a tap; return false if the answer does not contain everything.
   * @param {Appended} answer
   */
  take({ version, turn, outcome, actions, story }) {
    if (!this.isRead || !actions || !story || version <= this.version) return false;
    const lines = story.story;
    const known = this.story.slice(0, lines.length ? lines[0].seq - 1 : undefined);
    const told = [...known, ...lines];
    if (told.length !== version || told[version - 1].seq !== version) return false;
    this.story = told;
    this.now = actions;
    this.game = { ...this.game, version, turn, outcome };
    return true;
  }

  /** Add the lines after the known ones. @param {StoryLine[]} lines */
  async tell(lines) {
    let added = lines;
    if (this.story.length && lines.some((line) => REWRITING.has(line.type))) {
      added = await this.lines(0);
      if (added.length >= this.story.length) this.story = [];
    }
    this.story.push(...added.filter((line) => line.seq > this.story.length));
  }

  /** @param {number} after */
  async lines(after) {
    /** @type {StoryLine[]} */
    const lines = [];
    for (;;) {
      /** @type {Story} */
      const { story } = await api(`${this.url}/story`, { query: { after: after + lines.length, limit: PAGE } });
      lines.push(...story);
      if (story.length < PAGE) return lines;
    }
  }
}

/** A player's seat or belonging: "p2", "p2_hut_1". */
export const OWNED = /^(p\d)(?:_(.+))?$/;

/**
 * Return the function that names an id: "Ann" for "p1", "Ann: hut 1" for "p1_hut_1". A user's own id has no name.
 * @param {Record<string, string>} words  the names of values, by id
 * @param {string[]} players  the names, by seat
 */
export function namer(words, players) {
  return (/** @type {string} */ text) => {
    const [, seat, what] = OWNED.exec(text) ?? [];
    if (!seat) return words[text] ?? text.replaceAll("_", " ");
    const player = players[Number(seat.slice(1)) - 1] ?? seat;
    return what ? `${player}: ${words[what]}` : player;
  };
}
