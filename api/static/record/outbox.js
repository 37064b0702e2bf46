// The queue of taps: stored in this browser until they are in the log, and sent one at a time.
// A rejected tap stays, with the reason, and blocks the taps behind it: only the user can discard taps.

import { api, newKey, ProblemError } from "../api.js";
import { keep, recall } from "../ui.js";
import { REWRITING } from "./history.js";

const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000]; // ms between attempts
const PATIENCE = 8000; // ms until an answer counts as lost; the key makes a retry safe
const HASTE = 1500; // ms until the page stops waiting for an answer
const LATE = 10_000; // ms after which a tap is sent with its own time

/**
 * Return true if the tap itself was rejected; otherwise it can be retried later.
 * @param {unknown} error
 * @returns {error is ProblemError}
 */
function isForGood(error) {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429;
}

/**
 * Return the events to send for a tap. If the tap has waited long, its time is sent with them, so that an evening
 * without a network keeps its pace. Corrections are sent without a time, because an amend's time would be that of the
 * amended event.
 * @param {Tap} tap
 */
function eventsToSend({ events, body, at, isTimeless }) {
  if (at === undefined || isTimeless || Date.now() - at < LATE) return events ?? body;
  const occurred_at = new Date(at).toISOString();
  const timed = (/** @type {NewEvent} */ event) => (REWRITING.has(event.type) ? event : { ...event, occurred_at });
  return events ? events.map(timed) : timed(body);
}

export class Outbox {
  /**
   * @param {string} url  where events are appended
   * @param {{onChange: () => void, onDone: (tap: Tap, answer: Appended) => void, onRefused: (tap: RefusedTap) => void,
   *   wanted?: (tap: Tap) => object, misfit?: (tap: Tap) => Refusal | null}} listeners
   *   `onDone(tap, answer)`: the tap is in the log; `onRefused(tap)`: it was rejected, see its `problem`; `wanted(tap)`:
   * the query that makes the answer contain the next view; `misfit(tap)`: the reason why a queued tap may have lost
   * its meaning
   */
  constructor(url, { onChange, onDone, onRefused, wanted = () => ({}), misfit = () => null }) {
    this.url = url;
    this.listeners = { onChange, onDone, onRefused, wanted, misfit };
    this.name = `outbox.${url}`;
    /** @type {Tap[]} */
    this.taps = recall(this.name) || [];
    this.isSending = false;
    /** True if the last attempt got no answer, or this one takes too long. */
    this.isCutOff = false;
    this.attempt = 0;
    /** @type {(() => void) | null} */
    this.wake = null;
    /** The time (ms) from which the service accepts the next request. */
    this.notBefore = 0;
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("offline", () => this.notify());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  /** The rejected tap that the user must decide about, if there is one. @returns {RefusedTap | null} */
  get refusedTap() {
    return this.taps[0]?.problem ? /** @type {RefusedTap} */ (this.taps[0]) : null;
  }

  /** The number of queued taps. */
  get waiting() {
    return this.taps.length - (this.refusedTap ? 1 : 0);
  }

  get isOffline() {
    return this.isCutOff || !navigator.onLine;
  }

  /** True if the queue survives closing this page. */
  get isKept() {
    const stored = recall(this.name) || [];
    return stored.length === this.taps.length;
  }

  /**
   * Send `body` after all queued taps; `version` is the one that the user saw.
   * @param {NewEvent} body
   * @param {string} label
   * @param {number} version
   * @param {{offered?: string, foreseen?: number, isAnyway?: boolean, isNext?: boolean}} [seen]  see `Tap`
   */
  add(body, label, version, seen = {}) {
    const base = this.taps.length ? null : version;
    this.taps.push({ key: newKey(), body, label, at: Date.now(), base, ...seen });
    this.notify();
    this.hurry();
  }

  /**
   * Send the rejected tap again for the game at `version`, with a new `body` if given.
   * @param {number} version
   * @param {NewEvent | null} [body]
   * @param {string | null} [label]
   */
  repeat(version, body = null, label = null) {
    const tap = this.taps[0];
    delete tap.problem;
    tap.base = version;
    tap.isMeant = true;
    // Each body needs its own key.
    if (body) Object.assign(tap, { body, key: newKey(), label: label || tap.label });
    this.notify();
    this.hurry();
  }

  /**
   * Send the rejected tap again, as the events that explain it.
   * @param {number} version
   * @param {NewEvent[]} events
   */
  explain(version, events) {
    this.taps[0].events = events;
    this.repeat(version, this.taps[0].body);
  }

  /**
   * Send the rejected tap again, as an illegal action that happened anyway and that no explanation fits.
   * @param {number} version
   * @param {string} note  the recorder's note
   */
  insist(version, note) {
    const tap = this.taps[0];
    tap.isUnexplained = true;
    delete tap.events;
    this.repeat(version, note ? { ...tap.body, note } : tap.body);
  }

  /**
   * Send the rejected tap again with the next result that was tapped meanwhile; return true if there is one.
   * @param {number} version
   */
  joinNext(version) {
    const [tap, next] = this.taps;
    if (!next?.isNext) return false;
    const given = (tap.body.outcomes ?? []).slice(0, tap.problem?.chance?.position ?? 0);
    const last = (next.body.outcomes ?? []).slice(-1);
    this.taps.splice(1, 1);
    this.repeat(version, { ...tap.body, outcomes: [...given, ...last] }, next.label);
    return true;
  }

  /**
   * Discard the taps for further results of a recorded tap that needs no more; return true if there are any.
   * @param {Tap} tap
   * @param {number} version
   */
  dropNext(tap, version) {
    if ((tap.body.outcomes ?? []).length < 2 || !this.taps[0]?.isNext) return false;
    while (this.taps[0]?.isNext) this.taps.shift();
    if (this.taps.length) this.taps[0].base = version;
    this.keep();
    return true;
  }

  /**
   * Discard the rejected tap, or all taps; the others continue from `version`.
   * @param {number} version
   * @param {{all?: boolean}} [how]
   */
  drop(version, { all = false } = {}) {
    this.taps = all ? [] : this.taps.slice(1);
    if (this.taps.length) this.taps[0].base = version;
    this.notify();
    this.hurry();
  }

  /** Discard a tap that the service may not have, and those behind it. @param {Tap} tap */
  withdraw(tap) {
    this.taps.splice(this.taps.indexOf(tap));
    this.notify();
  }

  /** Retry at once, unless the service asked to wait. */
  hurry() {
    if (!this.wake) this.send();
    else if (Date.now() >= this.notBefore) this.wake();
  }

  keep() {
    keep(this.name, this.taps.length ? this.taps : null);
  }

  notify() {
    this.keep();
    this.listeners.onChange();
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    while (this.taps.length && !this.refusedTap) {
      if (!(await this.sendFirst())) {
        const pause = Math.max(PAUSES[Math.min(this.attempt, PAUSES.length - 1)], this.notBefore - Date.now());
        this.attempt += 1;
        await this.pause(pause);
      }
    }
    this.isSending = false;
    this.listeners.onChange();
  }

  /** Send the first tap; return true if it was answered. */
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
      const answer = await api(this.url, { query, body: eventsToSend(tap), key: tap.key, version, signal });
      if (answer.stopped) {
        // The key belongs to this answer, so a retry needs a new one.
        tap.key = newKey();
        this.refuse(tap, new ProblemError(answer.stopped.problem, answer.stopped.problem.status).refusal);
        return true;
      }
      this.onAnswer();
      if (this.taps[0] === tap) this.taps.shift();
      if (this.taps.length) this.taps[0].base ??= answer.version;
      this.keep();
      this.listeners.onDone(tap, answer);
      this.listeners.onChange();
    } catch (error) {
      // The service recorded an earlier attempt, whose answer was lost. The earlier attempt was sent without a time.
      if (error instanceof ProblemError && error.slug === "idempotency-key-reused" && !tap.isTimeless) {
        tap.isTimeless = true;
        return true;
      }
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
    this.onAnswer();
    // The user discarded it meanwhile.
    if (this.taps[0] !== tap) return;
    const refused = Object.assign(tap, { problem });
    this.notify();
    this.listeners.onRefused(refused);
  }

  cutOff() {
    this.isCutOff = true;
    this.notify();
  }

  onAnswer() {
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
