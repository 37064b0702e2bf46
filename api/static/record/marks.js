// The marks on a highlighted tile: a ring, and the signs of its actions.

import { svg, used } from "./signs.js";

/** The most signs on a tile. */
const MOST = 3;
/** The outline of a tile. */
const FACE = ".dl-face";

/**
 * Ring a tile of the board, and add the signs of its actions.
 * @param {Element} tile
 * @param {string[]} symbols
 */
export function mark(tile, symbols) {
  const face = tile.querySelector(FACE);
  if (!(face instanceof SVGGraphicsElement)) return;
  const { x, y, width, height } = face.getBBox();
  const size = Math.min(width, height);
  const marks = [ring(face, "halo", size), ring(face, "ring", size)];
  const radius = size * 0.18;
  symbols.slice(0, MOST).forEach((symbol, at) => {
    const middle = { x: x + radius * (1.05 + 2.05 * at), y: y + height - radius * 1.05 };
    marks.push(
      svg(
        "g",
        { class: "lit-sign", transform: `translate(${middle.x} ${middle.y})` },
        svg("circle", { r: radius }),
        used(`s-${symbol}`, { x: -radius * 0.68, y: -radius * 0.68, width: radius * 1.36, height: radius * 1.36 }),
      ),
    );
  });
  tile.append(svg("g", { class: "lit", "aria-hidden": "true" }, ...marks));
}

/** A line along the outline of a tile. @param {SVGGraphicsElement} face @param {string} kind @param {number} size */
function ring(face, kind, size) {
  const line = /** @type {SVGElement} */ (face.cloneNode(false));
  line.setAttribute("class", `lit-${kind}`);
  line.setAttribute("stroke-width", String(size * (kind === "halo" ? 0.13 : 0.062)));
  for (const name of ["fill", "stroke", "stroke-dasharray"]) line.removeAttribute(name);
  return line;
}

/** @param {Element} tile @param {{isLit: boolean}} how  `isLit`: it stays a button */
export function unmark(tile, { isLit }) {
  for (const lit of tile.querySelectorAll(":scope > .lit")) lit.remove();
  if (!isLit) for (const name of ["role", "tabindex", "aria-label"]) tile.removeAttribute(name);
}
