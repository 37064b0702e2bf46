// The time line of a game: a slider over its events, and above it the turns and what is particular about an event.

import { h } from "./ui.js";

/**
 * @param {HTMLInputElement} slider
 * @param {HTMLElement} track  where turns and marks are drawn; it says nothing that the slider does not say
 * @param {(seq: number) => void} onChoose
 */
export function timeline(slider, track, onChoose) {
  /** @type {number[]} */
  let steps = [];

  slider.addEventListener("input", () => onChoose(steps[Number(slider.value) - 1]));

  /** @param {number} index */
  const at = (index) => `${steps.length < 2 ? 0 : (100 * index) / (steps.length - 1)}%`;

  return {
    /**
     * @param {number[]} seqs  the events that are stepped through
     * @param {Turn[]} turns
     * @param {Map<number, string[]>} marks  kinds of marks by event
     */
    draw(seqs, turns, marks) {
      steps = seqs;
      slider.max = String(Math.max(1, seqs.length));
      const ticks = turns
        .map((turn) => seqs.findIndex((seq) => seq >= turn.first))
        .filter((index) => index >= 0)
        .map((index) => {
          const tick = h("span", { class: "tick" });
          tick.style.left = at(index);
          return tick;
        });
      const signs = seqs.flatMap((seq, index) =>
        (marks.get(seq) ?? []).map((kind) => {
          const sign = h("span", { class: `sign sign-${kind}` });
          sign.style.left = at(index);
          return sign;
        }),
      );
      track.replaceChildren(...ticks, ...signs);
    },

    /** Put the thumb at event `seq`, which `says` what it is. @param {number} seq @param {string} says */
    move(seq, says) {
      const index = steps.findLastIndex((step) => step <= seq);
      slider.value = String(index + 1);
      slider.setAttribute("aria-valuetext", says);
    },
  };
}
