// Press, slide, let go: a tile and what is meant there, or a pawn and where it goes, in one gesture.

import { around } from "../ui.js";

/** px that a finger moves when it taps. */
const SLOP = 12;
/** ms after which a finger that rests is shown what it may mean. */
const REST = 150;

/** Whether a finger has left from where it went down. @param {PointerEvent} down @param {PointerEvent} now */
export function isAway(down, now) {
  return Math.hypot(now.clientX - down.clientX, now.clientY - down.clientY) >= SLOP;
}

/**
 * @param {HTMLElement} host  the board
 * @param {{onPress: (place: HTMLElement) => void, onSlide: (place: HTMLElement) => void,
 *   onDrop: (place: HTMLElement, below: Element[]) => void}} listeners
 *   `onPress`: a finger rests there; `onSlide`: it leaves from there; `onDrop`: it was let go over these, the uppermost first
 */
export function listen(host, listeners) {
  let hasSlid = false;
  host.addEventListener("pointerdown", (event) => {
    hasSlid = false;
    const place = around(event, "[data-place]");
    if (!place || !event.isPrimary || event.button !== 0) return;
    follow(event, place, {
      ...listeners,
      onDrop: (...where) => {
        hasSlid = true;
        listeners.onDrop(...where);
      },
    });
  });
  // A mouse that comes back to where it began clicks there, too.
  host.addEventListener(
    "click",
    (event) => {
      if (hasSlid && event.detail > 0) event.stopImmediatePropagation();
      hasSlid = false;
    },
    { capture: true },
  );
}

/** @param {PointerEvent} down @param {HTMLElement} place @param {Parameters<typeof listen>[1]} listeners */
function follow(down, place, { onPress, onSlide, onDrop }) {
  const { pointerId } = down;
  const ended = new AbortController();
  const { signal } = ended;
  const timer = setTimeout(() => onPress(place), REST);
  let isSliding = false;
  const end = () => {
    clearTimeout(timer);
    ended.abort();
  };
  // A mouse that leaves the board is still sliding.
  document.addEventListener(
    "pointermove",
    (event) => {
      if (isSliding || event.pointerId !== pointerId || !isAway(down, event)) return;
      clearTimeout(timer);
      isSliding = true;
      onSlide(place);
    },
    { signal },
  );
  document.addEventListener(
    "pointerup",
    (event) => {
      if (event.pointerId !== pointerId) return;
      end();
      if (isSliding) onDrop(place, document.elementsFromPoint(event.clientX, event.clientY));
    },
    { signal },
  );
  document.addEventListener("pointercancel", end, { signal });
}
