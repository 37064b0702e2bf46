// A player's page: convert the start hours of games from UTC to the reader's time zone.

import { inOrder, localHour } from "./clock.js";
import { say } from "./words.js";

for (const figure of document.querySelectorAll("[data-hours] .rates")) {
  const body = /** @type {HTMLTableSectionElement} */ (figure.querySelector("tbody"));
  const now = new Date();
  const rows = [...body.rows].map((row) => {
    const cell = row.cells[0];
    cell.textContent = localHour(cell.textContent.trim(), now);
    return row;
  });
  body.append(...inOrder(rows, (row) => row.cells[0].textContent));
  const title = say("By time of day");
  /** @type {HTMLElement} */ (figure.querySelector("h3")).textContent = title;
  /** @type {HTMLElement} */ (figure.querySelector("[role=region]")).ariaLabel = title;
}
