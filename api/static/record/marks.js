// The places that actions name, and the marks on a highlighted tile: a ring, and the signs of its actions.

import { svg, useSymbol } from "./signs.js";

/** The most signs on a tile. */
const MOST = 3;
/** The least radius of a sign that can be told from others. */
const LEAST = 8;
/** The outline of a tile. */
const FACE = ".dl-face";

/**
 * The places that an action's params name: each word by itself ("coral_palace"), and each value with the name of its
 * param ("number:3").
 * @param {unknown} params
 * @param {Set<string>} [found]
 * @returns {Set<string>}
 */
export function placesOf(params, found = new Set(), name = "") {
  if (params !== null && typeof params === "object") {
    for (const [key, part] of Object.entries(params)) placesOf(part, found, Array.isArray(params) ? name : key);
    return found;
  }
  if (typeof params === "string") found.add(params);
  return found.add(`${name}:${params}`);
}

/**
 * Return true if `targets` contain a place: "coral_palace", "number:3", or "to,space:b5" for either of two params.
 * @param {string} place
 * @param {Set<string>} targets
 */
export function isMeant(place, targets) {
  const [value, names] = place.split(":").reverse();
  return names === undefined ? targets.has(value) : names.split(",").some((name) => targets.has(`${name}:${value}`));
}

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
  // The rows of a list begin with their numbers, and mean one action each.
  symbols.slice(0, width > 3 * height || radius < LEAST ? 0 : MOST).forEach((symbol, at) => {
    const middle = { x: x + radius * (1.05 + 2.05 * at), y: y + height - radius * 1.05 };
    marks.push(
      svg(
        "g",
        { class: "lit-sign", transform: `translate(${middle.x} ${middle.y})` },
        svg("circle", { r: radius }),
        useSymbol(`s-${symbol}`, { x: -radius * 0.68, y: -radius * 0.68, width: radius * 1.36, height: radius * 1.36 }),
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
