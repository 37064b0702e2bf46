// The timeline of a game: a slider over its events, with turns and marks above.

import { h } from "./ui.js";

/**
 * @param {HTMLInputElement} slider
 * @param {HTMLElement} track  the element of turns and marks; it adds nothing for screen readers
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
     * @param {number[]} seqs  the events of the replay
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

    /**
     * Move the thumb to event `seq`; `says` is the text of the thumb for screen readers.
     * @param {number} seq
     * @param {string} says
     */
    move(seq, says) {
      const index = steps.findLastIndex((step) => step <= seq);
      slider.value = String(index + 1);
      slider.setAttribute("aria-valuetext", says);
    },
  };
}
