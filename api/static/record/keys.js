// Keys, where there is a keyboard: the places of cards as numbers, and a letter for what is at hand.

import { $$, h } from "../ui.js";
import { say } from "../words.js";
import { sheet } from "./sheets.js";

const TOLD = [
  ["← ↑ → ↓, Enter", say("to the nearest highlighted tile that way, and choose it")],
  [say("1 to 9"), say("the card or other result in that place")],
  ["U", say("undo")],
  ["C", say("cards you can play at any time")],
  ["L", say("list of everything you can tap on the board")],
  [say("Escape"), say("close the open panel")],
  ["?", say("these keys")],
];

/** What a letter presses. @type {Record<string, string>} */
const PRESSED = { u: "#undo", c: ".tray > summary", l: ".aslist > summary" };

/** Listen to the keys of the page, but where somebody writes or a sheet is open. @param {HTMLElement} page */
export function listen(page) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (target instanceof Element && target.closest("input, textarea, select")) return;
    // A key that is held down acts once: what has the focus by then is something else.
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
    if (!pressed) return;
    event.preventDefault();
    pressed.click();
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
