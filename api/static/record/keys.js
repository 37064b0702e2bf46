// Keyboard shortcuts: digits for the positions of cards, letters for common actions.

import { $$, h } from "../ui.js";
import { say } from "../words.js";
import { sheet } from "./sheets.js";

const TOLD = [
  ["← ↑ → ↓, Enter", say("go to the nearest highlighted tile in that direction, and choose it")],
  [say("1 to 9"), say("the card or other result at that position")],
  ["U", say("undo")],
  ["C", say("cards you can play at any time")],
  ["L", say("list everything you can tap on the board")],
  [say("Escape"), say("close the open panel")],
  ["?", say("these keys")],
];

/** The button of each letter. @type {Record<string, string>} */
const PRESSED = { u: "#undo", l: ".aslist > summary" };
/** The first any-time card. */
const CARD = ".tray :is(button, summary)";

/** Listen to the page's keys, except in text fields and while a sheet is open. @param {HTMLElement} page */
export function listen(page) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target instanceof Element && target.closest("input, textarea, select")) return;
    // Ignore repeats of a held key, because the focus has already moved.
    if (event.repeat) {
      if (key === "Enter") event.preventDefault();
      return;
    }
    if (key === "?") return tell();
    const pressed = /^[1-9]$/.test(key)
      ? $$("#todo .faces > *, #todo .outcomes > *", page)[Number(key) - 1]
      : /** @type {HTMLElement | null} */ (
          PRESSED[key.toLowerCase()] && page.querySelector(PRESSED[key.toLowerCase()])
        );
    if (pressed) pressed.click();
    else if (key.toLowerCase() === "c") $$(CARD, page)[0]?.focus();
    else return;
    event.preventDefault();
  });
}

function tell() {
  sheet(
    say("Keys"),
    h(
      "dl",
      { class: "keys" },
      TOLD.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]),
    ),
  );
}
