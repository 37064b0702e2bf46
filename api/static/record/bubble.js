// If a tap on a tile is ambiguous, show the choices beside the tile instead of in a sheet.

import { h } from "../ui.js";
import { sign } from "./signs.js";

/** The maximum number of choices in a bubble. If there are more, a sheet shows them. */
export const MOST_IN_BUBBLE = 3;
const MARGIN = 8;

/**
 * Ask which action on a tile is meant. A tap elsewhere, or Escape, cancels.
 * @param {string} title
 * @param {Element} tile
 * @param {{label: string, symbol?: string | null, run: () => void}[]} items
 * @param {string} [caption]
 */
export function bubble(title, tile, items, caption) {
  for (const open of document.querySelectorAll("dialog.bubble")) /** @type {HTMLDialogElement} */ (open).close();
  const dialog = h(
    "dialog",
    { class: "bubble", "aria-label": title },
    caption ? h("p", {}, caption) : null,
    items.map(({ label, symbol, run }) =>
      h(
        "button",
        {
          type: "button",
          class: "button quiet",
          onclick: () => {
            dialog.close();
            run();
          },
        },
        symbol ? sign(symbol) : null,
        h("span", {}, label),
      ),
    ),
  );
  const away = new AbortController();
  dialog.addEventListener("close", () => {
    away.abort();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.show();
  place(dialog, tile.getBoundingClientRect());
  const { signal } = away;
  document.addEventListener("keydown", (event) => event.key === "Escape" && dialog.close(), { signal });
  document.addEventListener(
    "pointerdown",
    (event) => event.target instanceof Node && !dialog.contains(event.target) && dialog.close(),
    { signal },
  );
}

/** Close the open bubble, if there is one. */
export function shutBubble() {
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.bubble"))?.close();
}

/**
 * Place the bubble above the tile, or below it if there is no room.
 * @param {HTMLElement} dialog
 * @param {DOMRect} tile
 */
function place(dialog, { left, top, width, bottom }) {
  const { offsetWidth, offsetHeight } = dialog;
  const room = window.innerWidth - offsetWidth - MARGIN;
  const above = top - offsetHeight - MARGIN;
  dialog.style.left = `${Math.max(MARGIN, Math.min(room, left + width / 2 - offsetWidth / 2))}px`;
  dialog.style.top = `${above >= MARGIN ? above : Math.min(bottom + MARGIN, window.innerHeight - offsetHeight - MARGIN)}px`;
}
