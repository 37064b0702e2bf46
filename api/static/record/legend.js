// The legend: the signs on highlighted tiles, the signs of cards, and every tile with its name.

import { $$, h } from "../ui.js";
import { say } from "../words.js";
import { sheet } from "./sheets.js";
import { mini, sign, svg } from "./signs.js";

/**
 * @param {import("./table.js").Table} table
 * @param {HTMLElement} board
 */
export function legend(table, board) {
  const actions = table.ruleset.actions.filter((kind) => kind.symbol);
  const layouts = /** @type {FaceLayout[]} */ (Object.values(table.ruleset.faces));
  const faces = layouts.flatMap((layout) => layout.faces);
  const cards = faces.filter((face) => face.symbol && !face.text);
  /** @type {[string, [Node, string][]][]} */
  const parts = [
    [say("Available actions"), actions.map((kind) => [sign(String(kind.symbol)), kind.title])],
    [say("Result"), cards.map((face) => [mini(face), table.ruleset.words[face.value]])],
    [say("On the board"), $$("[data-kind=tile]", board).map((tile) => [copyTile(tile), nameOf(tile)])],
  ];
  sheet(
    say("Legend"),
    h("p", { class: "soft" }, say("Touch and hold a tile to see its name.")),
    ...parts
      .filter(([, signs]) => signs.length > 0)
      .map(([title, signs]) =>
        h(
          "section",
          {},
          h("h3", {}, title),
          h(
            "ul",
            { class: "plain legend" },
            signs.map(([drawn, name]) => h("li", {}, drawn, h("span", {}, name))),
          ),
        ),
      ),
  );
}

/** @param {Element} tile */
function nameOf(tile) {
  return tile.querySelector("title")?.textContent ?? "";
}

/** The picture of a tile by itself. @param {Element} tile */
function copyTile(tile) {
  const { x, y, width, height } = /** @type {SVGGraphicsElement} */ (/** @type {unknown} */ (tile)).getBBox();
  const copy = /** @type {Element} */ (tile.cloneNode(true));
  for (const name of [...copy.attributes].map((attribute) => attribute.name))
    if (name.startsWith("data-") || ["transform", "role", "tabindex", "aria-label"].includes(name))
      copy.removeAttribute(name);
  for (const extra of copy.querySelectorAll(".lit, title")) extra.remove();
  return svg(
    "svg",
    { class: "dl-board tile-sign", viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": "true" },
    copy,
  );
}
