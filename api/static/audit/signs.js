// The signs and pawns from the page's template.

import { h } from "../ui.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name  of a symbol */
export function sign(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "sign");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#s-${name}`);
  svg.append(use);
  return svg;
}

/** Return the pawn of a seat; null without a seat. @param {string | null | undefined} seat */
export function pawn(seat) {
  const template = seat ? document.querySelector(`template[data-pawn="${seat}"]`) : null;
  return template instanceof HTMLTemplateElement ? template.content.cloneNode(true) : null;
}

/** Return a word with its sign. @param {string} kind @param {string} symbol @param {string} text */
export function level(kind, symbol, text) {
  return h("span", { class: `level ${kind}` }, sign(symbol), text);
}
