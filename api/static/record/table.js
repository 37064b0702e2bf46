// The game as this page knows it: where it stands, what may be done, what happened.

import { api } from "../api.js";
import { say, together } from "../words.js";
import { REWRITING } from "./history.js";

const PAGE = 1000;

/** @type {any} */
const UNREAD = null;

export class Table {
  /**
   * @param {string} url  the game's
   * @param {string} rules  its ruleset's
   */
  constructor(url, rules) {
    this.url = url;
    this.rules = rules;
    // Until the game has been read there is none of these, and nobody but `isRead` asks.
    /** @type {Game} */
    this.game = UNREAD;
    /** @type {Ruleset} */
    this.ruleset = UNREAD;
    /** What may be done now. @type {LegalActions} */
    this.now = UNREAD;
    /** What happened: a line for each event, from event 1 on. @type {StoryLine[]} */
    this.story = [];
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

  /** Ann, for "p1"; whoever plays, where it is nobody's seat. @param {string | null} seat */
  name(seat) {
    if (seat === null) return say("Anybody");
    const found = this.game.seats[Number(seat.slice(1)) - 1];
    return found ? found.name : seat;
  }

  /** What an action is called. @param {string} type */
  titleOf(type) {
    const kinds = [...this.ruleset.actions, ...this.ruleset.record_actions];
    return kinds.find((kind) => kind.type === type)?.title ?? "";
  }

  /** "Ann", "Ann and Bob", "Ann, Bob and Cleo". @param {(string | null)[]} seats */
  names(seats) {
    return together(seats.map((seat) => this.name(seat)));
  }

  /** All of it, to be kept. */
  get kept() {
    const { game, ruleset, now, story } = this;
    return { game, ruleset, now, story };
  }

  /** As it was when it was kept. @param {Table["kept"]} kept */
  restore(kept) {
    Object.assign(this, kept);
  }

  /** Read everything anew. */
  async refresh() {
    const [now, game, ruleset] = await Promise.all([
      api(`${this.url}/actions`),
      api(this.url),
      this.isRead ? this.ruleset : api(this.rules),
      this.tell(),
    ]);
    // Somebody was quicker than the three answers: read on.
    if (this.story.length < now.version) await this.tell();
    // The answer to a tap was quicker than all of them.
    if (now.version < this.version) return;
    // What is on the screen is of one version until all of the next is there.
    this.ruleset = ruleset;
    this.game = game;
    this.now = now;
  }

  /**
   * Go on to what the answer to a tap brings with it; false where that is not all there is to know.
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

  async tell() {
    let lines = await this.lines(this.story.length);
    if (this.story.length && lines.some((line) => REWRITING.has(line.type))) {
      lines = await this.lines(0);
      if (lines.length >= this.story.length) this.story = [];
    }
    this.story.push(...lines.filter((line) => line.seq > this.story.length));
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

/** A player's seat, or what is that player's: "p2", "p2_hut_1". */
export const OWNED = /^(p\d)(?:_(.+))?$/;

/**
 * What puts a name to an id: "Ann" for "p1", "Ann: hut 1" for "p1_hut_1". An id that somebody wrote down has no word.
 * @param {Record<string, string>} words  what a player calls a value, by its id
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
