// The game as this page knows it: where it stands, what may be done, what happened.

import { api } from "../api.js";

const PAGE = 1000;
/** After these the story of earlier events is another one. */
const REWRITING = new Set(["undo", "amend", "reveal", "adjust"]);

export class Table {
  /**
   * @param {string} url  the game's
   * @param {string} rules  its ruleset's
   */
  constructor(url, rules) {
    this.url = url;
    this.rules = rules;
    this.game = null;
    this.ruleset = null;
    /** What may be done now: the document of `GET actions`. */
    this.now = null;
    /** What happened: a line for each event, from event 1 on. */
    this.story = [];
  }

  get version() {
    return this.now ? this.now.version : 0;
  }

  get isObserved() {
    return this.game.chance === "observed";
  }

  /** Ann, for "p1". */
  name(seat) {
    const found = this.game.seats[Number(seat.slice(1)) - 1];
    return found ? found.name : seat;
  }

  /** "Ann", "Ann and Bob", "Ann, Bob and Cleo". */
  names(seats) {
    const names = seats.map((seat) => this.name(seat));
    return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join("");
  }

  /** Read everything anew. @returns {Promise<object[]>} the story's new lines */
  async refresh() {
    const [now, game, ruleset] = await Promise.all([
      api(`${this.url}/actions`),
      api(this.url),
      this.ruleset ?? api(this.rules),
      this.tell(),
    ]);
    this.ruleset = ruleset;
    this.game = game;
    this.now = now;
    // Somebody was quicker than the three answers: read on.
    if (this.story.length < now.version) await this.tell();
  }

  async tell() {
    let lines = await this.lines(this.story.length);
    if (this.story.length && lines.some((line) => REWRITING.has(line.type))) {
      this.story = [];
      lines = await this.lines(0);
    }
    this.story.push(...lines.filter((line) => line.seq > this.story.length));
  }

  async lines(after) {
    const lines = [];
    for (;;) {
      const page = (await api(`${this.url}/story`, { query: { after: after + lines.length, limit: PAGE } })).story;
      lines.push(...page);
      if (page.length < PAGE) return lines;
    }
  }
}

/** "Draw treasure" for "draw_treasure". */
export function words(text) {
  const spaced = String(text).replaceAll("_", " ").trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
