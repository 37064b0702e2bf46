// Press, slide, release: choose an action on a tile, or move a pawn, in one gesture.

import { around } from "../ui.js";

/** px that a finger may move during a tap. */
const SLOP = 12;
/** ms of rest after which the choices are shown. */
const REST = 150;
/** ms of rest after which the name is shown, and the tap no longer counts. */
const LONG_REST = 700;

/** Return true if a finger has left its starting point. @param {PointerEvent} down @param {PointerEvent} now */
export function isAway(down, now) {
  return Math.hypot(now.clientX - down.clientX, now.clientY - down.clientY) >= SLOP;
}

/**
 * @param {HTMLElement} host  the board
 * @param {{onPress: (place: HTMLElement) => void, onSlide: (place: HTMLElement) => void,
 *   onDrop: (place: HTMLElement, below: Element[]) => void, onRest: (place: HTMLElement) => boolean}} listeners
 *   `onPress`: a finger rests on a place; `onSlide`: it leaves the place; `onDrop`: it was released over `below`;
 *   `onRest`: it rests for long, return true to ignore the tap
 */
export function listen(host, listeners) {
  let hasSlid = false;
  let isHeld = false;
  host.addEventListener("pointerdown", (event) => {
    hasSlid = false;
    const place = around(event, "[data-place]");
    // A board that is too tall scrolls instead.
    isHeld = host.scrollHeight <= host.clientHeight && (place?.matches(".is-target, [data-seat]") ?? false);
    if (!place || !event.isPrimary || event.button !== 0) return;
    follow(event, place, {
      ...listeners,
      onDrop: (...where) => {
        hasSlid = true;
        listeners.onDrop(...where);
      },
      onRest: (where) => {
        hasSlid = listeners.onRest(where);
        return hasSlid;
      },
    });
  });
  // Browsers ignore touch-action on the parts of an SVG and would scroll, which cancels the slide.
  host.addEventListener(
    "touchmove",
    (event) => isHeld && event.touches.length === 1 && event.cancelable && event.preventDefault(),
    { passive: false },
  );
  // A mouse released where it started also fires a click.
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
function follow(down, place, { onPress, onSlide, onDrop, onRest }) {
  const { pointerId } = down;
  const ended = new AbortController();
  const { signal } = ended;
  const timers = [setTimeout(() => onPress(place), REST), setTimeout(() => onRest(place), LONG_REST)];
  let isSliding = false;
  const end = () => {
    for (const timer of timers) clearTimeout(timer);
    ended.abort();
  };
  // A mouse outside the board is still sliding.
  document.addEventListener(
    "pointermove",
    (event) => {
      if (isSliding || event.pointerId !== pointerId || !isAway(down, event)) return;
      for (const timer of timers) clearTimeout(timer);
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
