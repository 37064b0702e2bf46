// Single components cut out of the pictures of a game's board.

import { boards } from "../boards.js";

const MARGIN = 2;

/** @param {string} url  of the game in the API */
export function pieces(url) {
  const pictures = boards(`${url}/board.svg`, { layout: "board" });
  return async (/** @type {HTMLElement} */ host, /** @type {number} */ at, /** @type {string} */ about) => {
    const box = document.createElement("div");
    box.innerHTML = await pictures.get(at);
    const svg = box.querySelector("svg");
    if (!svg) return;
    svg.removeAttribute("role");
    svg.removeAttribute("aria-label");
    svg.setAttribute("aria-hidden", "true");
    host.replaceChildren(svg);
    const piece = [...svg.querySelectorAll('[data-kind="tile"]')].find(
      (one) => one instanceof SVGGraphicsElement && one.dataset.place === about,
    );
    if (!(piece instanceof SVGGraphicsElement)) {
      host.remove();
      return;
    }
    const { x, y, width, height } = boundsOf(piece, svg);
    svg.setAttribute("viewBox", [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].join(" "));
  };
}

/** Return the position of an element in the picture. @param {SVGGraphicsElement} piece @param {SVGSVGElement} svg */
function boundsOf(piece, svg) {
  const box = piece.getBBox();
  const matrix = svg
    .getScreenCTM()
    ?.inverse()
    .multiply(/** @type {DOMMatrix} */ (piece.getScreenCTM()));
  const corner = new DOMPoint(box.x, box.y).matrixTransform(matrix);
  const scale = matrix?.a ?? 1;
  return { x: corner.x, y: corner.y, width: box.width * scale, height: box.height * scale };
}
