// Taps on their way to the service: kept in this browser until they are in the log, sent one after the other.
// A tap that is refused stays, with the reason, and holds back those behind it: nothing is dropped but by a person.

import { api, newKey, ProblemError } from "../api.js";
import { keep, kept } from "../ui.js";

const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000]; // ms between attempts
const PATIENCE = 8000; // ms until an answer counts as lost; the key makes it safe to ask again
const HASTE = 1500; // ms until nobody at the table waits for an answer any more

/** Whether it is the tap's fault that it was refused: else the same may be asked again later. @param {unknown} error @returns {error is ProblemError} */
function isForGood(error) {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429;
}

export class Outbox {
  /**
   * @param {string} url  where events are appended
   * @param {{onChange: () => void, onDone: (tap: Tap, answer: Appended) => void, onRefused: (tap: RefusedTap) => void,
   *   wanted?: (tap: Tap) => object, misfit?: (tap: Tap) => Refusal | null}} listeners
   *   `onDone(tap, answer)`: it is in the log; `onRefused(tap)`: it is not, and why is in its `problem`; `wanted(tap)`: the
   *   query by which the answer brings what is shown next; `misfit(tap)`: of a tap that waited for others, why it may not
   *   mean any more what it meant when it was tapped
   */
  constructor(url, { onChange, onDone, onRefused, wanted = () => ({}), misfit = () => null }) {
    this.url = url;
    this.listeners = { onChange, onDone, onRefused, wanted, misfit };
    this.name = `outbox.${url}`;
    /** @type {Tap[]} */
    this.taps = kept(this.name) || [];
    this.isSending = false;
    /** Whether the last attempt was not answered, or this one is not answered soon. */
    this.isCutOff = false;
    this.attempt = 0;
    /** @type {(() => void) | null} */
    this.wake = null;
    /** When the service is willing to be asked again (ms). */
    this.notBefore = 0;
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("offline", () => this.changed());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  /** The tap that a person has to decide about, if there is one. @returns {RefusedTap | null} */
  get refused() {
    return this.taps[0]?.problem ? /** @type {RefusedTap} */ (this.taps[0]) : null;
  }

  /** How many taps are on their way. */
  get waiting() {
    return this.taps.length - (this.refused ? 1 : 0);
  }

  get isOffline() {
    return this.isCutOff || !navigator.onLine;
  }

  /** Whether what waits outlives this page. */
  get isKept() {
    const stored = kept(this.name) || [];
    return stored.length === this.taps.length;
  }

  /**
   * Send `body` after all that waits; `version` is the one that the person saw.
   * @param {NewEvent} body
   * @param {string} label
   * @param {number} version
   * @param {{offered?: string, foreseen?: number, isAnyway?: boolean}} [seen]  see `Tap`
   */
  add(body, label, version, seen = {}) {
    this.taps.push({ key: newKey(), body, label, base: this.taps.length ? null : version, ...seen });
    this.changed();
    this.hurry();
  }

  /**
   * Send the refused tap once more, on the game as it stands at `version`; with another `body` where one is given.
   * @param {number} version
   * @param {NewEvent | null} [body]
   * @param {string | null} [label]
   */
  repeat(version, body = null, label = null) {
    const tap = this.taps[0];
    delete tap.problem;
    tap.base = version;
    tap.isMeant = true;
    // A key stands for one body.
    if (body) Object.assign(tap, { body, key: newKey(), label: label || tap.label });
    this.changed();
    this.hurry();
  }

  /**
   * Send the refused tap once more, as the events that explain it.
   * @param {number} version
   * @param {NewEvent[]} events
   */
  explain(version, events) {
    this.taps[0].events = events;
    this.repeat(version, this.taps[0].body);
  }

  /**
   * Send the refused tap once more: it happened, whatever the rules say, and none of the explanations fits.
   * @param {number} version
   * @param {string} note  what the recorder says of it
   */
  insist(version, note) {
    const tap = this.taps[0];
    tap.isUnexplained = true;
    delete tap.events;
    this.repeat(version, note ? { ...tap.body, note } : tap.body);
  }

  /**
   * Forget the refused tap, or all of them; the rest goes on from `version`.
   * @param {number} version
   * @param {{all?: boolean}} [how]
   */
  drop(version, { all = false } = {}) {
    this.taps = all ? [] : this.taps.slice(1);
    if (this.taps.length) this.taps[0].base = version;
    this.changed();
    this.hurry();
  }

  /** Do not wait for the next attempt, unless the service asked for it. */
  hurry() {
    if (!this.wake) this.send();
    else if (Date.now() >= this.notBefore) this.wake();
  }

  keep() {
    keep(this.name, this.taps.length ? this.taps : null);
  }

  changed() {
    this.keep();
    this.listeners.onChange();
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    while (this.taps.length && !this.refused) {
      if (!(await this.sendFirst())) {
        const pause = Math.max(PAUSES[Math.min(this.attempt, PAUSES.length - 1)], this.notBefore - Date.now());
        this.attempt += 1;
        await this.pause(pause);
      }
    }
    this.isSending = false;
    this.listeners.onChange();
  }

  /** Whether there was an answer to the first tap. */
  async sendFirst() {
    const tap = this.taps[0];
    const problem = tap.isMeant ? null : this.listeners.misfit(tap);
    if (problem) {
      this.refuse(tap, problem);
      return true;
    }
    const late = setTimeout(() => this.cutOff(), HASTE);
    const asking = new AbortController();
    const lost = setTimeout(() => asking.abort(new DOMException("No answer.", "TimeoutError")), PATIENCE);
    try {
      const { signal } = asking;
      const unexplained = tap.isUnexplained ? { accept_illegal: true, accept_left_out: false } : {};
      const query = { ...this.listeners.wanted(tap), ...(tap.isAnyway ? { if_illegal: "accept" } : unexplained) };
      const version = tap.base ?? undefined;
      const answer = await api(this.url, { query, body: tap.events ?? tap.body, key: tap.key, version, signal });
      if (answer.stopped) {
        // The key stands for this answer: who asks again asks anew.
        tap.key = newKey();
        this.refuse(tap, new ProblemError(answer.stopped.problem, answer.stopped.problem.status).refusal);
        return true;
      }
      this.answered();
      this.taps.shift();
      if (this.taps.length) this.taps[0].base ??= answer.version;
      this.keep();
      this.listeners.onDone(tap, answer);
      this.listeners.onChange();
    } catch (error) {
      if (!isForGood(error)) {
        this.notBefore = Date.now() + (error instanceof ProblemError ? error.retryAfter : 0);
        this.cutOff();
        return false;
      }
      this.refuse(tap, error.refusal);
    } finally {
      clearTimeout(late);
      clearTimeout(lost);
    }
    return true;
  }

  /** @param {Tap} tap @param {Refusal} problem */
  refuse(tap, problem) {
    this.answered();
    const refused = Object.assign(tap, { problem });
    this.changed();
    this.listeners.onRefused(refused);
  }

  cutOff() {
    this.isCutOff = true;
    this.changed();
  }

  answered() {
    this.isCutOff = false;
    this.attempt = 0;
  }

  /** @param {number} milliseconds */
  pause(milliseconds) {
    return /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        const timer = setTimeout(() => this.wake?.(), milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          this.wake = null;
          resolve();
        };
      })
    );
  }
}
