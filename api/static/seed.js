// A phone contributes to a seed, and checks that the game has the commitments that it saved.

import { api } from "./api.js";
import { contribute, contributionTo, follow, progress } from "./mixing.js";
import { $, messageOf } from "./ui.js";
import { say } from "./words.js";

const id = $("seed").dataset.id ?? "";
const button = $("contribute", HTMLButtonElement);
const problem = $("problem");

/** @param {unknown} error */
function complain(error) {
  problem.textContent = messageOf(error);
  problem.hidden = false;
}

/** @param {Seed} seed */
function show(seed) {
  const isIn = seed.commitments.includes(contributionTo(id)?.commitment ?? "");
  button.hidden = seed.status !== "committing" || isIn;
  $("progress").textContent = progress(seed);
}

/** Compare event 1 with the commitments of this phone. @param {string} game */
async function check(game) {
  const link = $("game", HTMLAnchorElement);
  link.href = `/games/${game}`;
  link.hidden = false;
  const saved = contributionTo(id)?.commitments;
  if (!saved) return;
  const { events } = await api(`/v1/games/${game}/events`, { query: { limit: 1 } });
  const isSame = String(events[0].params.seed_shares) === String(saved);
  if (isSame)
    $("progress").textContent = say(
      "The game has started. Its seed is mixed from the secret numbers of all these phones, including yours.",
    );
  else
    complain(
      new Error(
        say(
          "The game has started with a different seed, not the one that this phone helped to mix. Do not trust its draws.",
        ),
      ),
    );
}

async function run() {
  try {
    /** @type {string | null} */
    let game = null;
    await follow(id, (seed) => {
      show(seed);
      game = seed.game;
    });
    if (game) await check(game);
  } catch (error) {
    complain(error);
  }
}

button.addEventListener("click", async () => {
  button.disabled = true;
  problem.hidden = true;
  try {
    await contribute(id);
    button.hidden = true;
  } catch (error) {
    complain(error);
  }
  button.disabled = false;
});
run();
