// Playback of the replay: one event after the other, until the end or a pause.

import { $ } from "./ui.js";
import { say } from "./words.js";

/**
 * @param {object} steps
 * @param {() => Promise<number | null>} steps.next  the event after the current one; null at the end
 * @param {() => Promise<void>} steps.restart  show the first event
 * @param {(seq: number) => Promise<void>} steps.show
 * @param {(error: unknown) => void} steps.complain
 */
export function playback({ next, restart, show, complain }) {
  let isPlaying = false;
  /** @type {Timer} */
  let timer;

  function draw() {
    const button = $("play");
    button.setAttribute("aria-label", isPlaying ? say("Pause") : say("Play"));
    button.title = isPlaying ? say("Pause (space)") : say("Play (space)");
    button.toggleAttribute("data-playing", isPlaying);
    $("sentence").setAttribute("aria-live", isPlaying ? "off" : "polite");
  }

  function soon() {
    timer = setTimeout(() => tick().catch(complain), Number($("speed", HTMLSelectElement).value));
  }

  async function tick() {
    const seq = await next();
    if (!isPlaying) return;
    if (seq === null) {
      pause();
      return;
    }
    await show(seq);
    if (isPlaying) soon();
  }

  async function play() {
    isPlaying = true;
    draw();
    if ((await next()) === null) await restart();
    soon();
  }

  function pause() {
    isPlaying = false;
    clearTimeout(timer);
    draw();
  }

  const toggle = () => (isPlaying ? pause() : play().catch(complain));
  return { play, pause, toggle };
}
