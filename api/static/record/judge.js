// The rules in this browser: they judge the queued taps until the service answers.

import { api } from "../api.js";
import { storeRuntime } from "../keeping.js";
import { language } from "../words.js";

const PATIENCE = 200; // ms for the service to answer before the rules here are asked
const LOST = 8000; // ms until an answer counts as lost: until then the rules in this browser wait
const IDLE = 5000; // ms after which a page in use loads the rules
const RETRY = 30_000; // ms after which it tries again, and then twice as long each time

export class Judge {
  /**
   * @param {DOMStringMap} about  the page's data: the files of the runtime (if there is one), and the user's seat
   * @param {import("./ahead.js").Ahead} ahead
   */
  constructor(about, ahead) {
    this.about = about;
    this.ahead = ahead;
    /** The version of a log that does not replay here, because it hides something. */
    this.masked = 0;
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.calls = new Map();
    this.count = 0;
    this.isBusy = false;
  }

  /** Load the rules once the page is in use, unless the user saves data. */
  start() {
    const addresses = this.about.runtime?.split(" ") ?? [];
    const connection = /** @type {{saveData?: boolean} | undefined} */ (Reflect.get(navigator, "connection"));
    if (addresses.length === 0 || connection?.saveData) return;
    const load = (/** @type {number} */ pause) =>
      setTimeout(
        () =>
          this.load(addresses).catch(() => {
            this.stop();
            load(Math.max(RETRY, 2 * pause));
          }),
        pause,
      );
    load(this.ahead.outbox.waiting ? 0 : IDLE);
  }

  /** @param {string[]} addresses */
  async load(addresses) {
    await storeRuntime(addresses);
    const worker = new Worker(String(this.about.rules), { type: "module" });
    worker.addEventListener("message", ({ data: { id, answer, error } }) => {
      const call = this.calls.get(id);
      this.calls.delete(id);
      if (error) call?.reject(new Error(error));
      else call?.resolve(answer);
    });
    worker.addEventListener("error", () => this.stop());
    this.worker = worker;
    await this.call("start", { addresses, language });
    await this.run();
    document.documentElement.dataset.rules = "ready";
  }

  /** Work without the rules. */
  stop() {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.calls.values()) reject(new Error("The rules have stopped."));
    this.calls.clear();
  }

  /** @param {string} call @param {object} told @returns {Promise<any>} */
  call(call, told) {
    return new Promise((resolve, reject) => {
      this.count += 1;
      this.calls.set(this.count, { resolve, reject });
      this.worker?.postMessage({ id: this.count, call, told: JSON.stringify(told) });
    });
  }

  /** Follow the table and the queue after a delay: the service usually answers first. */
  follow() {
    setTimeout(() => this.run(), this.ahead.outbox.isOffline ? 0 : PATIENCE);
  }

  async run() {
    if (!this.worker || this.isBusy || !this.ahead.table.isRead) return;
    this.isBusy = true;
    try {
      while (await this.step());
    } catch {
      // The service did not return the log. It is read after the next event.
    } finally {
      this.isBusy = false;
    }
  }

  /** Take the next step; return true if there is more to do. */
  async step() {
    const { ahead } = this;
    const { outbox, table } = ahead;
    if (!ahead.isAhead && ahead.version !== table.version) return this.catchUp();
    const tap = outbox.taps.find((one) => !ahead.expected.has(one));
    if (!tap || tap === ahead.stuck || outbox.refusedTap || ahead.doubted.has(tap) || tap.isUnexplained) return false;
    const told = {
      bodies: tap.events ?? [tap.body],
      at: new Date(tap.at ?? Date.now()).toISOString(),
      after: ahead.after(tap),
      layout: ahead.listeners.layout(),
      seat: this.about.seat || null,
      if_illegal: tap.isAnyway ? "accept" : "ask",
    };
    /** @type {Appended & {chance?: Point} | null} */
    const answer = await this.call("append", told).then(JSON.parse, () => null);
    // The service was faster, or the user discarded the tap.
    if (!outbox.taps.includes(tap) || outbox.refusedTap) {
      const version = answer?.chance ? 0 : (answer?.version ?? 0);
      ahead.version = version === ahead.log.length ? version : 0;
      return true;
    }
    // The action needs another die or card. If the service can be reached, its answer asks for that.
    if (answer?.chance && outbox.isOffline && outbox.taps.at(-1) === tap) {
      outbox.withdraw(tap);
      ahead.listeners.onQuestion(tap, answer.chance);
      return false;
    }
    if (!answer || answer.chance) {
      ahead.stuck = tap;
      ahead.version = 0;
      ahead.listeners.onChange();
      return false;
    }
    ahead.version = answer.version;
    ahead.confirmed ??= table.snapshot;
    ahead.expected.set(tap, answer);
    ahead.listeners.onExpected(tap, answer);
    return true;
  }

  /** Read the rest of the log, and let the worker follow it; return true if there is more to do. */
  async catchUp() {
    const { ahead } = this;
    const { log, table, outbox } = ahead;
    if (this.masked === table.version) return false;
    while (log.length < table.version && !outbox.isOffline) {
      const { events } = await api(`${table.url}/events`, {
        query: { after: log.length, limit: 1000 },
        signal: AbortSignal.timeout(LOST),
      });
      if (events.length === 0) return false;
      ahead.add(events);
    }
    if (log.length !== table.version) return false;
    const isNear = ahead.version > 0 && ahead.version < log.length;
    try {
      ahead.version = await this.call(isNear ? "follow" : "open", isNear ? log.slice(ahead.version) : log);
    } catch {
      const hidden = log.findIndex(isMasked);
      if (hidden < 0) this.stop();
      else {
        // A later event may reveal the hidden part. Then that part of the log is read again.
        log.length = hidden;
        this.masked = table.version;
      }
      ahead.version = 0;
      return false;
    }
    ahead.listeners.onChange();
    return true;
  }
}

/** Return true if the event hides something from the caller. @param {LogEvent} event */
function isMasked({ params }) {
  return JSON.stringify(params).includes('{"masked":true}');
}
