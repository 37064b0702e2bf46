// The table ahead of the service: each queued tap's result, computed by the rules in this browser until the service
// answers. The service decides: if it answers otherwise, the page shows its table again.

import { say } from "../words.js";
import { changesAfter, predictStory } from "./history.js";

/** @typedef {import("./table.js").Table} Table */

export class Ahead {
  /**
   * @param {Table} table
   * @param {import("./outbox.js").Outbox} outbox
   * @param {{onExpected: (tap: Tap, answer: Appended) => void, onRewind: () => void,
   *   onQuestion: (tap: Tap, point: Point) => void, onChange: () => void, layout: () => string}} listeners
   */
  constructor(table, outbox, listeners) {
    this.table = table;
    this.outbox = outbox;
    this.listeners = listeners;
    /** The log as far as it is known here, from event 1 on. @type {LogEvent[]} */
    this.log = [];
    /** The version that the worker has; 0 if it must read the log again. */
    this.version = 0;
    /** The expected answers to queued taps that the page shows, in order. @type {Map<Tap, Appended>} */
    this.expected = new Map();
    /** The table that the service confirmed last, while the page shows a later one. @type {Table["snapshot"] | null} */
    this.confirmed = null;
    /** The tap that only the service can judge. @type {Tap | null} */
    this.stuck = null;
    /** Taps that were queued when one was rejected: the user checks each. @type {Set<Tap>} */
    this.doubted = new Set();
    /** The rules in this browser; null until they are loaded. @type {import("./judge.js").Judge | null} */
    this.judge = null;
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
      ? say("Only the service can check this action.")
      : say("Only the service can draw the result.");
  }

  /** The story after all queued taps are recorded. */
  get story() {
    const { outbox, table, expected } = this;
    return predictStory(table.story, outbox.refusedTap ? [] : outbox.taps.filter((tap) => !expected.has(tap)));
  }

  /** The event up to which the story stays the same once the tap is recorded. @param {Tap} tap */
  after(tap) {
    return this.expected.has(tap) ? (tap.base ?? 0) : changesAfter(this.table.story, tap.body);
  }

  /** Follow the table and the queue. */
  follow() {
    this.judge?.follow();
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
