// Pictures of the table, fetched ahead and kept: stepping through a game must not wait for the network.

const MOST = 160; // pictures kept, some 5 MB
const NARROW = "(max-width: 40rem)"; // a phone: what lies beside the board goes below it
const AHEAD_AT_ONCE = 3; // requests for pictures that nobody waits for yet

/**
 * The pictures of a game.
 * @param {string} url  the address of its board.svg
 * @param {{layout?: "wide" | "tall" | "board"}} options  by default as there is room
 * @returns {{get: (at: number, since?: number) => Promise<string>, ahead: Function}}
 *   `get`: the table after event `at`, with what changed since event `since`; `ahead(list of [at, since])`: fetch
 *   these when there is time, and forget what was wanted before
 */
export function boards(url, { layout = matchMedia(NARROW).matches ? "tall" : "wide" } = {}) {
  const kept = new Map();
  const asked = new Map();
  let wanted = [];
  let busy = 0;

  const name = (at, since) => `${at}/${since ?? ""}`;

  async function load(at, since) {
    const address = new URL(url, location.href);
    address.searchParams.set("at", at);
    address.searchParams.set("layout", layout);
    if (since) address.searchParams.set("changes", since);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`There is no picture of event ${at}.`);
    const text = await response.text();
    kept.set(name(at, since), text);
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
    return text;
  }

  function get(at, since) {
    const key = name(at, since);
    const text = kept.get(key);
    if (text !== undefined) {
      kept.delete(key);
      kept.set(key, text); // the one used last goes last
      return Promise.resolve(text);
    }
    if (!asked.has(key)) asked.set(key, load(at, since).finally(() => asked.delete(key)));
    return asked.get(key);
  }

  async function work() {
    busy += 1;
    while (wanted.length > 0) {
      const [at, since] = wanted.shift();
      await get(at, since).catch(() => {}); // whoever needs it asks again
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
