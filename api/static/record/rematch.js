// Play again: the same players, game and options; in the same seats, or each player one seat on.

import { api, newKey } from "../api.js";
import { h, keep, messageOf, toast } from "../ui.js";
import { say } from "../words.js";
import { playOnButton } from "./slip.js";

/** One key per rematch button: a second tap does not open a second game. @type {Map<number, string>} */
const keys = new Map();

/**
 * The request for a rematch; its chance results are new.
 * @param {Pick<Game, "ruleset" | "seats" | "options" | "chance" | "mode" | "tags">} game
 * @param {number} [further]  the number of seats by which everyone moves on
 */
export function again({ ruleset, seats, options, chance, mode, tags }, further = 0) {
  const names = seats.map(({ name }) => ({ name }));
  // A rematch has new results of chance, so it does not keep the tag of the deal.
  const kept = tags.filter((tag) => !tag.startsWith("deal: "));
  return { ruleset, seats: [...names.slice(further), ...names.slice(0, further)], options, chance, mode, tags: kept };
}

/** @param {Game} game @param {number} further */
async function open(game, further) {
  const body = again(game, further);
  const key = keys.get(further) ?? newKey();
  keys.set(further, key);
  try {
    const opened = await api("/v1/games", { body, key });
    keep(
      `table.${game.ruleset}`,
      body.seats.map(({ name }) => name),
    );
    location.assign(`/games/${opened.id}/${opened.status === "setup" ? "setup" : "record"}`);
  } catch (error) {
    toast(messageOf(error), { kind: "bad" });
  }
}

/**
 * The buttons after the end of the game: play again, for users who may open a game, the result, and *Play on*.
 * @param {HTMLElement} page
 * @param {import("./table.js").Table} table
 * @param {(event: NewEvent, label: string) => void} onPlayOn  marks the end of the game as not noticed
 */
export function endButtons(page, table, onPlayOn) {
  const href = location.pathname.replace(/record$/, "end");
  const end = h("a", { class: "button large block", href }, say("Show results"));
  return [...(page.dataset.opens === undefined ? [] : rematchButtons(table.game)), end, playOnButton(table, onPlayOn)];
}

/** Play again in the same seats, or with each other player first. @param {Game} game */
export function rematchButtons(game) {
  /** @param {number} further @param {string} label @param {string} kind */
  const button = (further, label, kind) =>
    h("button", { type: "button", class: `button large block ${kind}`, onclick: () => open(game, further) }, label);
  return [
    button(0, say("Play again"), "primary"),
    game.seats.length > 1 && button(1, say("Play again, {name} in the first seat", { name: game.seats[1].name }), ""),
  ];
}
