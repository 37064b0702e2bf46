// Record the example game, and play it.

import { api, newKey } from "./api.js";
import { $, messageOf, toast } from "./ui.js";

const button = $("example", HTMLButtonElement);
const key = newKey();

async function watch() {
  button.disabled = true;
  const text = await (await fetch(String(button.dataset.scoresheet))).text();
  const [opening, ...bodies] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const game = await api("/v1/games", { body: opening, key });
  await api(`/v1/games/${game.id}/events`, { body: bodies.flat(), key: `${key}-events` });
  location.assign(`/games/${game.id}?play#2`);
}

button.addEventListener("click", () =>
  watch().catch((error) => {
    button.disabled = false;
    toast(messageOf(error), { kind: "bad" });
  }),
);
