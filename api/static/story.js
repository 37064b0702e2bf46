// The story of a game for the pages: its lines, their status, and their notes.

import { api } from "./api.js";
import { byTurn } from "./turns.js";

const PAGE = 1000;
const CORRECTIONS = new Set(["undo", "amend", "reveal", "adjust"]);

/** The story of the game at `url` in the API. */
export class Story {
  /** @param {string} url */
  constructor(url) {
    this.url = url;
    /** @type {StoryLine[]} */
    this.lines = [];
    this.version = 0;
  }

  /** The last known event. */
  get last() {
    return this.lines.length;
  }

  /** @param {number} seq */
  line(seq) {
    return this.lines[seq - 1];
  }

  /** Load the story as of event `until`, or the whole story. @param {number} [until] */
  async load(until) {
    /** @type {StoryLine[]} */
    const lines = [];
    const last = until && (await this.within(until));
    for (;;) {
      const { story } = await this.ask(lines.length, last);
      lines.push(...story);
      if (story.length < PAGE) break;
    }
    this.lines = lines;
  }

  /**
   * Load the lines after the last known one, up to `until` if given. Returns the number of new lines.
   * @param {number} [until]
   */
  async more(until) {
    const known = this.lines.length;
    const last = until && (await this.within(until));
    if (last === known) return 0;
    const { story } = await this.ask(known, last);
    if (story.some((line) => CORRECTIONS.has(line.type))) await this.load(last);
    else this.lines.push(...story);
    return this.lines.length - known;
  }

  /** Return `until`, or the last event if `until` does not exist. @param {number} until */
  async within(until) {
    if (until > this.version) this.version = (await api(this.url)).version;
    return Math.min(until, this.version);
  }

  /** @param {number} after @param {number} [until] @returns {Promise<{story: StoryLine[]}>} */
  ask(after, until) {
    return api(`${this.url}/story`, { query: { after, until, limit: PAGE } });
  }

  /** Return each turn of the story, with its first and last event. @returns {Turn[]} */
  turns() {
    return byTurn(this.lines).map(({ turn, lines }) => ({
      turn,
      first: lines[0].seq,
      last: lines[lines.length - 1].seq,
    }));
  }

  /** Return the notes about each event, by `seq`, without undone notes. */
  notes() {
    /** @type {Map<number, Said[]>} */
    const notes = new Map();
    /** @param {number} seq @param {Said} note */
    const add = (seq, note) => notes.set(seq, [...(notes.get(seq) || []), note]);
    for (const line of this.lines) {
      if (line.note) add(line.seq, { text: line.note });
      if (line.type === "annotate" && !line.is_undone) {
        add(line.about ?? line.seq, { text: line.text, mark: line.mark, bookmark: line.bookmark });
      }
    }
    return notes;
  }
}
