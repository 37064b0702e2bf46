// The table ahead of the service: each queued tap's result, computed by the rules in this browser until the service
// answers. The service decides: if it answers otherwise, the page shows its table again.

import { api } from "../api.js";
import { storeRuntime } from "../keeping.js";
import { language, say } from "../words.js";
import { foreseen, retoldAfter } from "./history.js";

const PATIENCE = 200; // ms for the service to answer before the rules here are asked
const LOST = 8000; // ms until an answer counts as lost: meanwhile the rules here would stand still
const IDLE = 5000; // ms after which a page in use loads the rules
const RETRY = 30_000; // ms after which it tries again, and then twice as long each time

/** @typedef {import("./table.js").Table} Table */

export class Ahead {
  /**
   * @param {DOMStringMap} about  the page's data: the files of the runtime (if there is one), and the user's seat
   * @param {Table} table
   * @param {import("./outbox.js").Outbox} outbox
   * @param {{onExpected: (tap: Tap, answer: Appended) => void, onRewind: () => void,
   *   onQuestion: (tap: Tap, point: Point) => void, onChange: () => void, layout: () => string}} listeners
   */
  constructor(about, table, outbox, listeners) {
    this.about = about;
    this.table = table;
    this.outbox = outbox;
    this.listeners = listeners;
    /** The log as far as it is known here, from event 1 on. @type {LogEvent[]} */
    this.log = [];
    /** The version that the worker has; 0 if it must read the log again. */
    this.version = 0;
    /** The version of a log that does not replay here, because it hides something. */
    this.masked = 0;
    /** The expected answers to queued taps that the page shows, in order. @type {Map<Tap, Appended>} */
    this.expected = new Map();
    /** The table that the service confirmed last, while the page shows a later one. @type {Table["kept"] | null} */
    this.confirmed = null;
    /** The tap that only the service can judge. @type {Tap | null} */
    this.stuck = null;
    /** Taps that were queued when one was rejected: the user checks each. @type {Set<Tap>} */
    this.doubted = new Set();
    /** @type {Worker | null} */
    this.worker = null;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.calls = new Map();
    this.count = 0;
    this.isBusy = false;
  }

  /** True if the page shows a table that the service has not confirmed. */
  get isAhead() {
    return this.confirmed !== null;
  }

  /** True if the table shows the results of all queued taps. */
  get isComplete() {
    return this.outbox.waiting <= this.expected.size;
  }

  /** The reason why only the service can continue, in words. */
  get stuckReason() {
    return this.table.isObserved
      ? say("Only the service can judge this tap.")
      : say("Only the service can draw the result.");
  }

  /** The story after all queued taps are recorded. */
  get story() {
    const { outbox, table, expected } = this;
    return foreseen(table.story, outbox.refused ? [] : outbox.taps.filter((tap) => !expected.has(tap)));
  }

  /** The last event that the page needs no new story line for, once the tap is recorded. @param {Tap} tap */
  after(tap) {
    return this.expected.has(tap) ? (tap.base ?? 0) : retoldAfter(this.table.story, tap.body);
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
    load(this.outbox.waiting ? 0 : IDLE);
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
    setTimeout(() => this.run(), this.outbox.isOffline ? 0 : PATIENCE);
  }

  async run() {
    if (!this.worker || this.isBusy || !this.table.isRead) return;
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
    const { outbox, table } = this;
    if (!this.isAhead && this.version !== table.version) return this.catchUp();
    const tap = outbox.taps.find((one) => !this.expected.has(one));
    if (!tap || tap === this.stuck || outbox.refused || this.doubted.has(tap) || tap.isUnexplained) return false;
    const told = {
      bodies: tap.events ?? [tap.body],
      at: new Date(tap.at ?? Date.now()).toISOString(),
      after: this.after(tap),
      layout: this.listeners.layout(),
      seat: this.about.seat || null,
      if_illegal: tap.isAnyway ? "accept" : "ask",
    };
    /** @type {Appended & {chance?: Point} | null} */
    const answer = await this.call("append", told).then(JSON.parse, () => null);
    // The service was faster, or the user discarded the tap.
    if (!outbox.taps.includes(tap) || outbox.refused) {
      const version = answer?.chance ? 0 : (answer?.version ?? 0);
      this.version = version === this.log.length ? version : 0;
      return true;
    }
    // The next die or card of the same action; if the service can be reached, it asks itself.
    if (answer?.chance && outbox.isOffline && outbox.taps.at(-1) === tap) {
      outbox.withdraw(tap);
      this.listeners.onQuestion(tap, answer.chance);
      return false;
    }
    if (!answer || answer.chance) {
      this.stuck = tap;
      this.version = 0;
      this.listeners.onChange();
      return false;
    }
    this.version = answer.version;
    this.confirmed ??= table.kept;
    this.expected.set(tap, answer);
    this.listeners.onExpected(tap, answer);
    return true;
  }

  /** Read the rest of the log, and let the worker follow it; return true if there is more to do. */
  async catchUp() {
    const { log, table, outbox } = this;
    if (this.masked === table.version) return false;
    while (log.length < table.version && !outbox.isOffline) {
      const { events } = await api(`${table.url}/events`, {
        query: { after: log.length, limit: 1000 },
        signal: AbortSignal.timeout(LOST),
      });
      if (events.length === 0) return false;
      this.add(events);
    }
    if (log.length !== table.version) return false;
    const isNear = this.version > 0 && this.version < log.length;
    try {
      this.version = await this.call(isNear ? "follow" : "open", isNear ? log.slice(this.version) : log);
    } catch {
      const hidden = log.findIndex(isMasked);
      if (hidden < 0) this.stop();
      else {
        // A later event may reveal it: then that part of the log is read again.
        log.length = hidden;
        this.masked = table.version;
      }
      this.version = 0;
      return false;
    }
    this.listeners.onChange();
    return true;
  }

  /** Add the events after the known ones. @param {LogEvent[]} events */
  add(events) {
    if (events[0]?.seq === this.log.length + 1) this.log.push(...events);
  }

  /**
   * Take the service's answer to a tap; return true if the page already shows it.
   * @param {Tap} tap
   * @param {Appended} answer
   */
  settle(tap, answer) {
    this.add(answer.events);
    if (this.stuck === tap) this.stuck = null;
    const expected = this.expected.get(tap);
    this.expected.delete(tap);
    if (!expected) return false;
    if (!isEqual(expected, answer)) {
      this.rewind();
      return false;
    }
    const { table } = this;
    for (const line of answer.story?.story ?? []) {
      const { recorded_at, occurred_at, recorded_by } = line;
      table.story[line.seq - 1] = { ...table.story[line.seq - 1], recorded_at, occurred_at, recorded_by };
    }
    if (this.expected.size === 0 && table.version === answer.version) {
      this.confirmed = null;
      table.now = answer.actions ?? table.now;
    }
    return true;
  }

  /** Discard the tap that only the service can judge, and those behind it. */
  discard() {
    const { stuck } = this;
    this.stuck = null;
    if (stuck && this.outbox.taps.includes(stuck)) this.outbox.withdraw(stuck);
  }

  /** Return to the table that the service confirmed; it has rejected a tap, or recorded something else. */
  rewind() {
    if (this.confirmed) {
      this.table.restore(this.confirmed);
      this.listeners.onRewind();
    }
    this.confirmed = null;
    this.stuck = null;
    this.expected.clear();
    this.version = 0;
    this.doubted = new Set(this.outbox.taps);
  }
}

/** Return true if the service answered as expected. @param {Appended} expected @param {Appended} answer */
function isEqual(expected, answer) {
  const [one, other] = [expected, answer].map(({ version, actions }) => JSON.stringify([version, actions]));
  return one === other;
}

/** Return true if the event hides something from the caller. @param {LogEvent} event */
function isMasked({ params }) {
  return JSON.stringify(params).includes('{"masked":true}');
}
