// The timer for phases with a time limit: it is started here, counts down, and signals the end.
// It runs on this device only; only the action recorded at the end counts.

import { h, keep, recall } from "../ui.js";
import { say } from "../words.js";

const TICK = 250; // ms
const BUZZ = [300, 150, 300]; // ms on, off, on
const TONES = [880, 660, 440]; // Hz, one after the other
const TONE = 0.25; // s

/** A duration in minutes and seconds: "1:05" for 65 seconds. @param {number} seconds */
export function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Timer {
  /**
   * @param {HTMLElement} host
   * @param {import("./table.js").Table} table
   * @param {{onTap: (entry: Entry, button: Element) => void, say: (text: string) => void}} listeners
   */
  constructor(host, table, listeners) {
    this.host = host;
    this.table = table;
    this.listeners = listeners;
    this.name = `timer.${table.url}`;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ticking = undefined;
    /** @type {{turn: number, end: number} | null} `end` in ms; kept, so that the page can be loaded anew */
    this.started = recall(this.name);
    /** The drawn content: unchanged content is not redrawn, because the user may be about to tap it. */
    this.shown = "";
    this.isRunning = false;
    /** @type {AudioContext | null} */
    this.sound = null;
  }

  /** The phase with a time limit; null if there is none. */
  get what() {
    return this.table.now?.timer ?? null;
  }

  /** The end of the time (ms); null if the timer has not been started this turn. */
  get end() {
    return this.started && this.started.turn === this.table.now?.turn ? this.started.end : null;
  }

  /** The seconds left, rounded up. */
  get secondsLeft() {
    return Math.max(0, Math.ceil(((this.end ?? 0) - Date.now()) / 1000));
  }

  start() {
    if (!this.table.now || !this.what) return;
    // A browser allows sound only after a tap.
    this.sound ??= "AudioContext" in window ? new AudioContext() : null;
    this.listeners.say(say("The timer is running: {count} seconds.", { count: this.what.seconds }));
    this.set({ turn: this.table.now.turn, end: Date.now() + this.what.seconds * 1000 });
  }

  stop() {
    this.listeners.say(say("The timer is stopped."));
    this.set(null);
  }

  /** @param {{turn: number, end: number} | null} started */
  set(started) {
    this.started = started;
    keep(this.name, started);
    this.render();
    this.host.querySelector("button")?.focus();
  }

  /** Update after a new event or a tap on the timer. */
  render() {
    const state = this.what === null ? "none" : this.end === null ? "ready" : this.secondsLeft > 0 ? "runs" : "over";
    const shown = JSON.stringify([state, this.what, this.end, this.entry?.label]);
    if (shown === this.shown) return;
    const wasRunning = this.isRunning;
    this.shown = shown;
    this.isRunning = state === "runs";
    clearTimeout(this.ticking);
    this.host.hidden = state === "none";
    this.host.classList.toggle("is-over", state === "over");
    if (state === "runs") this.run();
    else this.host.replaceChildren(...(state === "ready" ? this.ready() : state === "over" ? this.over() : []));
    if (state === "over" && wasRunning) this.signal();
  }

  /** The action to record when the time is up. */
  get entry() {
    const { type, actor } = this.what ?? {};
    return this.table.now?.actions.find((one) => one.type === type && one.actor === actor);
  }

  /** The total time, or the time left. */
  watch() {
    return h(
      "strong",
      { role: "timer", class: "number" },
      clock(this.end === null ? (this.what?.seconds ?? 0) : this.secondsLeft),
    );
  }

  /** @param {Node | string} watch */
  title(watch) {
    return h("p", { class: "watch" }, `${this.what?.title} `, watch);
  }

  /** @param {string} label @param {(event: Event) => void} onclick @param {string} [kind] */
  button(label, onclick, kind = "") {
    return h("button", { type: "button", class: `button ${kind}`, onclick }, label);
  }

  ready() {
    return [this.title(this.watch()), this.button(say("Start the timer"), () => this.start())];
  }

  run() {
    const watch = this.watch();
    const bar = /** @type {HTMLProgressElement} */ (
      h("progress", { max: this.what?.seconds, value: this.secondsLeft, "aria-hidden": "true" })
    );
    this.host.replaceChildren(
      this.title(watch),
      this.button(say("Stop the timer"), () => this.stop()),
      bar,
    );
    const tick = () => {
      watch.textContent = clock(this.secondsLeft);
      bar.value = this.secondsLeft;
      if (this.secondsLeft > 0) this.ticking = setTimeout(tick, TICK);
      else this.render();
    };
    tick();
  }

  /** Show that the time is up, with the button for the action. */
  over() {
    const entry = this.entry;
    const up = h("strong", { role: "timer", class: "number" }, say("Time is up"));
    const again = this.button(say("Restart"), () => this.start());
    if (!entry) return [this.title(up), again];
    /** @param {Event} event */
    const tap = (event) => this.listeners.onTap(entry, /** @type {Element} */ (event.currentTarget));
    return [this.title(up), this.button(entry.label, tap, "primary"), again];
  }

  /** Signal the end by sight, sound, vibration and speech. */
  signal() {
    this.listeners.say(say("{what}: time is up.", { what: this.what?.title }));
    navigator.vibrate?.(BUZZ);
    const { sound } = this;
    if (!sound) return;
    TONES.forEach((hertz, index) => {
      const tone = sound.createOscillator();
      tone.frequency.value = hertz;
      tone.connect(sound.destination);
      tone.start(sound.currentTime + index * TONE);
      tone.stop(sound.currentTime + (index + 1) * TONE);
    });
  }
}
