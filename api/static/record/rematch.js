// Once more: the same players, the same game, the same options; in the same seats, or each one further.

import { api, newKey } from "../api.js";
import { h, keep, messageOf, toast } from "../ui.js";
import { say } from "../words.js";

/** One for each that may be asked for: a second tap opens no second game. @type {Map<number, string>} */
const keys = new Map();

/**
 * What is asked for, to open the game once more; what chance brings is new.
 * @param {Pick<Game, "ruleset" | "seats" | "options" | "chance" | "mode" | "tags">} game
 * @param {number} [further]  how many seats everyone moves on: whoever sat behind so many sits first
 */
export function again({ ruleset, seats, options, chance, mode, tags }, further = 0) {
  const names = seats.map(({ name }) => ({ name }));
  // What chance brings is new: it is of no deal.
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

/** Buttons for it: in the same seats, and each one further. @param {Game} game */
export function rematchButtons(game) {
  /** @param {number} further @param {string} label @param {string} kind */
  const button = (further, label, kind) =>
    h("button", { type: "button", class: `button large block ${kind}`, onclick: () => open(game, further) }, label);
  return [
    button(0, say("Rematch"), "primary"),
    game.seats.length > 1 && button(1, say("Rematch, {name} sits first", { name: game.seats[1].name }), ""),
  ];
}
