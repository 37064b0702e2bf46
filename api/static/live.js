// Follow a game's log (Server-Sent Events) from any event on while the page is open.
// Uses fetch instead of EventSource, to start at a given event and to notice when a phone slept through the stream.

import { read, retryAfter } from "./api.js";

const SILENCE = 40_000; // ms; the service sends a heartbeat every 15 s
const REFUSED = [401, 403, 404, 410]; // revoked or deleted: a retry would not help
const PAUSES = [500, 1000, 2000, 4000, 8000]; // ms between attempts

/**
 * Follow a game.
 * @param {string} url  the game's `links.stream`, with `viewer` and the like in its query
 * @param {{after?: number, onEvent: (event: LogEvent) => void, onMessage?: (name: string, data: unknown) => void,
 *   onState?: (state: Connection) => void}} options
 *   `after`: the last known event; `onEvent(event)`: each event, once, in order; `onMessage(name, data)`: messages
 * with a name other than "message"; `onState("live" | "waiting" | "ended" | "refused")`
 * @returns {{close: () => void, readonly after: number}}
 */
export function follow(url, { after = 0, onEvent, onMessage = () => {}, onState = () => {} }) {
  let isClosed = false;
  let attempt = 0;
  /** @type {AbortController | null} */
  let abort = null;
  /** @type {Timer} */
  let timer;
  /** @type {(() => void) | null} */
  let wake = null;
  let notBefore = 0; // when the service accepts the next request

  async function run() {
    while (!isClosed) {
      const result = await once();
      if (isClosed) return;
      if (result === "ended") {
        onState("ended");
        close();
        return;
      }
      if (result === "refused") {
        onState("refused");
        close();
        return;
      }
      onState("waiting");
      const pause = Math.max(PAUSES[Math.min(attempt, PAUSES.length - 1)], notBefore - Date.now());
      attempt += 1;
      await /** @type {Promise<void>} */ (
        new Promise((resolve) => {
          wake = resolve;
          timer = setTimeout(resolve, pause);
        })
      );
      clearTimeout(timer);
      wake = null;
    }
  }

  async function once() {
    const connecting = new AbortController();
    abort = connecting;
    /** @type {Timer} */
    let watchdog;
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => connecting.abort(), SILENCE);
    };
    alive();
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after) };
      const response = await fetch(url, { headers, cache: "no-store", signal: connecting.signal });
      if (response.status === 204) return "ended";
      if (REFUSED.includes(response.status)) return "refused";
      if (!response.ok || !response.body) {
        notBefore = Date.now() + retryAfter(response);
        return "broken";
      }
      attempt = 0;
      onState("live");
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return "broken";
        alive();
        const messages = (rest + value).split("\n\n");
        rest = messages.pop() ?? "";
        messages.forEach(tell);
      }
    } catch {
      return "broken";
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** @param {string} message */
  function tell(message) {
    if (isClosed) return;
    let name = "message";
    let id = null;
    const data = [];
    for (const line of message.split("\n")) {
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
      else if (line.startsWith("event:")) name = line.slice(6).trim();
      else if (line.startsWith("id:")) id = Number(line.slice(3));
    }
    if (data.length === 0) return;
    const document = read(data.join("\n"));
    if (name !== "message") {
      onMessage(name, document);
      return;
    }
    if (id !== null) {
      if (id <= after) return;
      after = id;
    }
    onEvent(document);
  }

  // The phone has woken up or is online again, so retry at once.
  function hurry() {
    if (document.visibilityState === "visible" && wake && Date.now() >= notBefore) wake();
  }

  function close() {
    isClosed = true;
    if (abort) abort.abort();
    if (wake) wake();
    window.removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
  }

  window.addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  run();
  return {
    close,
    get after() {
      return after;
    },
  };
}
