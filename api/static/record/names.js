// The names of tiles and pieces, which a resting finger shows.

import { around, h } from "../ui.js";
import { isAway } from "./slide.js";

/** ms of rest after which a finger asks for the name of a place. */
const LONG = 400;

/** Show the name of a tile under a resting finger, without acting. @param {HTMLElement} host */
export function namesOnLongPress(host) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {HTMLElement | null} */
  let plate = null;
  let isAsked = false;
  let since = 0;
  /** @type {PointerEvent} */
  let down;
  host.addEventListener("pointerdown", (event) => {
    down = event;
    const element = around(event, "[data-kind=tile], [data-kind=piece]");
    isAsked = false;
    since = event.timeStamp;
    if (!element) return;
    timer = setTimeout(() => {
      isAsked = true;
      plate = h("div", { class: "name-plate", "aria-hidden": "true" }, titleOf(element));
      document.body.append(plate);
      const { left, top: edge, width } = element.getBoundingClientRect();
      const shown = document.querySelector("dialog.bubble")?.getBoundingClientRect();
      const top = Math.min(edge, shown?.top ?? edge);
      const room = window.innerWidth - plate.offsetWidth - 8;
      plate.style.left = `${Math.max(8, Math.min(room, left + width / 2 - plate.offsetWidth / 2))}px`;
      plate.style.top = `${Math.max(8, top - plate.offsetHeight - 12)}px`;
    }, LONG);
  });
  // A finger that slides away does not ask for a name.
  host.addEventListener("pointermove", (event) => down && isAway(down, event) && clearTimeout(timer));
  host.addEventListener("pointerleave", () => clearTimeout(timer));
  for (const end of ["pointerup", "pointercancel"]) {
    // Listen to the whole document, because the finger may be released anywhere.
    document.addEventListener(end, (event) => {
      // A busy page may learn too late that the finger was lifted. Then the touch was a tap.
      if (event.timeStamp - since < LONG) isAsked = false;
      clearTimeout(timer);
      plate?.remove();
    });
  }
  host.addEventListener("contextmenu", (event) => isAsked && event.preventDefault());
  host.addEventListener(
    "click",
    (event) => {
      if (isAsked) event.stopImmediatePropagation();
      isAsked = false;
    },
    { capture: true },
  );
}

/** @param {Element} element */
export function titleOf(element) {
  return element.querySelector("title")?.textContent ?? element.getAttribute("data-place") ?? "";
}
