// The branches of a game as a tree, from the original game down to forks of forks.

import { api, ProblemError } from "./api.js";
import { h } from "./ui.js";
import { say } from "./words.js";

const DEEPEST = 6;

/**
 * Return the tree around a game as a list; null if it has no parent and no forks.
 * @param {string} url  the game in the API
 * @param {string} pages  the base address of the games' pages
 */
export async function branchTree(url, pages) {
  const games = url.slice(0, url.lastIndexOf("/") + 1);
  const here = url.slice(games.length);
  let root = await api(url);
  const isFork = Boolean(root.fork);
  for (let climbed = 0; root.fork && climbed < DEEPEST; climbed += 1) {
    try {
      root = await api(games + root.fork.game);
    } catch (error) {
      if (error instanceof ProblemError) break; // imported: its parent is on another service
      throw error;
    }
  }
  const forks = await forksOf(root.id, games);
  if (!isFork && forks.length === 0) return null;
  return h(
    "ul",
    { class: "tree plain" },
    root.parent_deleted_at && h("li", { class: "soft small" }, say("The original of this fork was deleted.")),
    await branch(root, null, forks, 0),
  );

  /**
   * @param {Game} game
   * @param {number | null} at  the event it was forked at
   * @param {Game[]} children
   * @param {number} depth
   * @returns {Promise<HTMLElement>}
   */
  async function branch(game, at, children, depth) {
    const below = await Promise.all(
      children.map(async (child) =>
        branch(child, child.fork?.at ?? null, depth < DEEPEST ? await forksOf(child.id, games) : [], depth + 1),
      ),
    );
    return h("li", {}, entry(game, at), below.length > 0 && h("ul", { class: "plain" }, below));
  }

  /** @param {Game} game @param {number | null} at */
  function entry(game, at) {
    const isHere = game.id === here;
    const compare = `${pages}${here}/compare/${game.id}`;
    return h(
      "p",
      { class: "row branch" },
      at !== null && h("span", { class: "chip number" }, say("from event {event}", { event: at })),
      isHere ? h("strong", {}, say("this game")) : h("a", { href: pages + game.id }, titleOf(game)),
      h("span", { class: "soft small" }, standing(game)),
      !isHere &&
        h(
          "a",
          { class: "small", href: compare, "aria-label": say("Compare with {game}", { game: titleOf(game) }) },
          say("compare"),
        ),
    );
  }
}

/** @param {string} id @param {string} games @returns {Promise<Game[]>} */
async function forksOf(id, games) {
  const answer = await api(`${games}${id}/forks`);
  return answer.games;
}

/** @param {Game} game */
function titleOf(game) {
  return say("game {id}", { id: game.id.slice(-6) });
}

const RESULTS = { won: say("won"), lost: say("lost"), draw: say("draw"), abandoned: say("abandoned") };

/** @param {Game} game */
function standing(game) {
  const chance = game.chance === "seeded" ? say("Driftlog draws") : say("at a table");
  const end = game.outcome
    ? RESULTS[game.outcome.result]
    : game.turn
      ? say("in turn {turn}", { turn: game.turn })
      : game.status === "setup"
        ? say("setup")
        : say("in progress");
  return say("{chance}, {end}, {count} events", { chance, end, count: game.version });
}
