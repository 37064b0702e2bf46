// Animations of an event's changes: pieces and tiles move to their new places, a flooded or sunk tile goes under, and the
// water or the storm swells. Nothing waits for it, and nothing moves if the user prefers less motion.

import { middle } from "../arrows.js";
import { $$, h } from "../ui.js";

/** ms */
const MOVES = 260;
const SINKS = 600;
const SWELLS = 900;
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{element: HTMLElement, at: [number, number], state: string | undefined}} Placed */

/** The tiles and pieces of a picture, by their ids, in the units of the picture. @param {Element} host @returns {Map<string | undefined, Placed>} */
export function placements(host) {
  const all = $$(".dl-plane:not([hidden]) > :is(.dl-tile, .dl-piece)", host);
  // The board may have been resized, so convert positions to the units of the picture.
  const inside = host.querySelector("svg")?.getScreenCTM()?.inverse();
  return new Map(
    all.map((element) => {
      const { x, y } = new DOMPoint(...middle(element)).matrixTransform(inside);
      return [element.dataset.id, { element, at: [x, y], state: element.dataset.state }];
    }),
  );
}

/** Move the things whose place has changed, and let the old picture of a changed tile sink. @param {Map<string | undefined, Placed>} before @param {Element} host */
export function move(before, host) {
  if (isCalm() || before.size === 0) return;
  for (const [id, { element, at, state }] of placements(host)) {
    const was = before.get(id);
    if (!was) continue;
    const [x, y] = [0, 1].map((axis) => was.at[axis] - at[axis]);
    if (Math.abs(x) + Math.abs(y) > 2) {
      element.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: MOVES, easing: "ease-out" });
    } else if (state !== was.state && state && was.state) sink(was.element, element);
  }
}

/** @param {HTMLElement} old @param {HTMLElement} element */
function sink(old, element) {
  const ghost = /** @type {HTMLElement} */ (old.cloneNode(true));
  for (const name of ["data-place", "data-kind", "data-id", "role", "tabindex", "aria-label"])
    ghost.removeAttribute(name);
  ghost.setAttribute("class", "dl-tile ghost");
  ghost.setAttribute("aria-hidden", "true");
  element.after(ghost);
  const gone = ghost.animate({ opacity: [1, 0], translate: ["0 0", "0 8px"] }, { duration: SINKS, easing: "ease-out" });
  gone.onfinish = () => ghost.remove();
}

/** Let the water or the storm swell over the board once. @param {Element} host */
export function swell(host) {
  if (isCalm()) return;
  const wave = h("div", { class: "swell", "aria-hidden": "true" });
  host.append(wave);
  const gone = wave.animate({ translate: ["0 100%", "0 40%", "0 100%"] }, { duration: SWELLS, easing: "ease-in-out" });
  gone.onfinish = () => wave.remove();
}
