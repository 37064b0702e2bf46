// Open a game from a deal: the same setup with other players.

import { api, newKey } from "./api.js";
import { $, $$, messageOf } from "./ui.js";

const form = $("deal", HTMLFormElement);
const strips = document.querySelector(".strips");
let key = newKey(); // One key per page: a second tap on the button does not open a second game.

async function open() {
  const { game, ruleset } = form.dataset;
  const names = $$(".name", form).map((input) => /** @type {HTMLInputElement} */ (input).value.trim());
  const chance = /** @type {HTMLSelectElement | null} */ (document.getElementById("chance"))?.value ?? "observed";
  const seats = names.map((name) => ({ name }));
  const button = $("open", HTMLButtonElement);
  button.disabled = true;
  try {
    const opened = await api("/v1/games", { body: { ruleset, seats, chance, deal: game }, key });
    location.assign(`/games/${opened.id}/record`);
  } catch (error) {
    button.disabled = false;
    $("problem").textContent = messageOf(error);
    $("problem").hidden = false;
  }
}

form.addEventListener("input", () => {
  key = newKey();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  open();
});
// Some browsers do not print closed `<details>`.
addEventListener("beforeprint", () => strips?.setAttribute("open", ""));
