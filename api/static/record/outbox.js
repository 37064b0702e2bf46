// Taps on their way to the service: kept in this browser until they are in the log, sent one after the other.
// A tap that is refused stays, with the reason, and holds back those behind it: nothing is dropped but by a person.

import { ProblemError, api, newKey } from "../api.js";
import { keep, kept } from "../ui.js";

const PAUSES = [1000, 2000, 4000, 8000, 15_000, 30_000]; // ms between attempts
const PATIENCE = 8000; // ms until an answer counts as lost; the key makes it safe to ask again
const HASTE = 1500; // ms until nobody at the table waits for an answer any more

/** Whether it is not the tap's fault that it was refused: the same may be asked again later. */
function isPassing(error) {
  return !(error instanceof ProblemError) || error.status >= 500 || error.status === 429;
}

/**
 * @typedef {{key: string, body: object, label: string, base: number | null, problem?: object}} Tap
 *   `base` is the version that was on the screen; null where it follows another tap that is on its way.
 *   `problem` is the document with which it was refused.
 */
export class Outbox {
  /**
   * @param {string} url  where events are appended
   * @param {{onChange: Function, onDone: Function, onRefused: Function}} listeners
   *   `onDone(tap, answer)`: it is in the log; `onRefused(tap)`: it is not, and why is in its `problem`
   */
  constructor(url, { onChange, onDone, onRefused }) {
    this.url = url;
    this.listeners = { onChange, onDone, onRefused };
    this.name = `outbox.${url}`;
    /** @type {Tap[]} */
    this.taps = kept(this.name) || [];
    this.isSending = false;
    /** Whether the last attempt was not answered, or this one is not answered soon. */
    this.isCutOff = false;
    this.attempt = 0;
    this.wake = null;
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("offline", () => this.changed());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  /** The tap that a person has to decide about, if there is one. */
  get refused() {
    return this.taps[0] && this.taps[0].problem ? this.taps[0] : null;
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

  /** Send `body` after all that waits; `version` is the one that the person saw. */
  add(body, label, version) {
    this.taps.push({ key: newKey(), body, label, base: this.taps.length ? null : version });
    this.changed();
    this.hurry();
  }

  /** Send the refused tap once more, on the game as it stands at `version`; with another `body` where one is given. */
  repeat(version, body = null, label = null) {
    const tap = this.taps[0];
    delete tap.problem;
    tap.base = version;
    // A key stands for one body.
    if (body) Object.assign(tap, { body, key: newKey(), label: label || tap.label });
    this.changed();
    this.hurry();
  }

  /** Forget the refused tap, or all of them; the rest goes on from `version`. */
  drop(version, { all = false } = {}) {
    this.taps = all ? [] : this.taps.slice(1);
    if (this.taps.length) this.taps[0].base = version;
    this.changed();
    this.hurry();
  }

  /** Do not wait for the next attempt. */
  hurry() {
    if (this.wake) this.wake();
    else this.send();
  }

  changed() {
    keep(this.name, this.taps.length ? this.taps : null);
    this.listeners.onChange();
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    while (this.taps.length && !this.refused) {
      if (!(await this.sendFirst())) {
        const pause = PAUSES[Math.min(this.attempt, PAUSES.length - 1)];
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
    const late = setTimeout(() => this.cutOff(), HASTE);
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await api(this.url, { body: tap.body, key: tap.key, version: tap.base, signal });
      this.answered();
      this.taps.shift();
      if (this.taps.length) this.taps[0].base ??= answer.version;
      this.changed();
      this.listeners.onDone(tap, answer);
    } catch (error) {
      if (isPassing(error)) {
        this.cutOff();
        return false;
      }
      this.answered();
      tap.problem = { ...error.problem, slug: error.slug };
      this.changed();
      this.listeners.onRefused(tap);
    } finally {
      clearTimeout(late);
    }
    return true;
  }

  cutOff() {
    this.isCutOff = true;
    this.changed();
  }

  answered() {
    this.isCutOff = false;
    this.attempt = 0;
  }

  pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = null;
        resolve();
      };
    });
  }
}
