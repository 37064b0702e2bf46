// Pictures of the table. They are prefetched and cached, so that steps through a game do not wait for the network.

import { say } from "./words.js";

const MOST = 160; // cached pictures, about 5 MB
const AHEAD_AT_ONCE = 3; // parallel prefetch requests

/** @typedef {[at: number, since?: number]} Moment */

/**
 * Return functions that fetch the pictures of a game.
 * @param {string} url  the address of its board.svg
 * @param {{layout?: "wide" | "tall" | "board"}} options  default: everything in one column
 * @returns {{get: (at: number, since?: number) => Promise<string>, ahead: (list: Moment[]) => void}}
 *   `get`: the table after event `at`, marking changes since event `since`; `ahead(list of [at, since])`: prefetch
 * these, and drop earlier prefetches
 */
export function boards(url, { layout = "tall" } = {}) {
  /** @type {Map<string, string>} */
  const kept = new Map();
  /** @type {Map<string, Promise<string>>} */
  const asked = new Map();
  /** @type {Moment[]} */
  let wanted = [];
  let busy = 0;

  /** @param {number} at @param {number} [since] */
  const name = (at, since) => `${at}/${since ?? ""}`;

  /** @param {number} at @param {number} [since] */
  async function load(at, since) {
    const address = new URL(url, location.href);
    address.searchParams.set("at", String(at));
    address.searchParams.set("layout", layout);
    if (since) address.searchParams.set("changes", String(since));
    const response = await fetch(address);
    if (!response.ok) throw new Error(say("There is no picture of event {event}.", { event: at }));
    const text = await response.text();
    kept.set(name(at, since), text);
    if (kept.size > MOST) kept.delete([...kept.keys()][0]);
    return text;
  }

  /** @param {number} at @param {number} [since] @returns {Promise<string>} */
  function get(at, since) {
    const key = name(at, since);
    const text = kept.get(key);
    if (text !== undefined) {
      kept.delete(key);
      kept.set(key, text); // the most recently used goes last
      return Promise.resolve(text);
    }
    const before = asked.get(key);
    if (before) return before;
    const loading = load(at, since).finally(() => asked.delete(key));
    asked.set(key, loading);
    return loading;
  }

  async function work() {
    busy += 1;
    for (let next = wanted.shift(); next; next = wanted.shift()) {
      await get(...next).catch(() => {}); // `get` retries it
    }
    busy -= 1;
  }

  return {
    get,
    ahead(list) {
      wanted = list.filter(([at, since]) => !kept.has(name(at, since)) && !asked.has(name(at, since)));
      while (busy < AHEAD_AT_ONCE && busy < wanted.length) work();
    },
  };
}
