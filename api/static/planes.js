// Show one picture of a table as two: the board as large as possible, and hands, piles and meters below.

import { $$, h, putSvg } from "./ui.js";
import { say } from "./words.js";

const GAP = 12; // gap between the planes and the panels of a picture

/**
 * Return a place that shows a game's pictures.
 * @param {HTMLElement} host  for the board
 * @param {HTMLElement} [around]  for the rest; without it, the rest is not shown
 * @returns {{put: (text: string) => void}}
 */
export function planes(host, around) {
  /** The selected plane: chosen by the user, otherwise the one with the latest change. */
  let shown = "";
  let isChosen = false;

  /** @param {string} text */
  function put(text) {
    const svg = putSvg(host, text);
    const all = $$(".dl-plane", host).filter(isOnTable);
    if (all.length === 0) return;
    const news = all.findLast((plane) => plane.querySelector("[data-changed]"));
    if (!isChosen && news) shown = String(news.dataset.id);
    if (around) panels(svg, around, all);
    // Remove elements outside the board: they would appear beside it if its place has another shape.
    for (const one of $$(":scope > :is(rect, text, .dl-panel)", /** @type {any} */ (svg))) one.remove();
    show(svg, all);
  }

  /** @param {SVGSVGElement} svg @param {HTMLElement[]} all */
  function show(svg, all) {
    const plane = all.find((one) => one.dataset.id === shown) ?? all[all.length - 1];
    for (const one of all) one.toggleAttribute("hidden", one !== plane);
    const box = boxOf(plane);
    crop(svg, box);
    host.toggleAttribute("data-tall", box[3] > box[2]);
    if (all.length < 2) return;
    for (const buttons of $$(".planes", host)) buttons.remove();
    const others = all.filter((one) => one !== plane);
    const turnTo = (/** @type {HTMLElement} */ other) => {
      shown = String(other.dataset.id);
      isChosen = true;
      show(svg, all);
      $$(".planes button", host)[0]?.focus();
    };
    const button = (/** @type {HTMLElement} */ other) =>
      h("button", { type: "button", class: "button", onclick: () => turnTo(other) }, other.dataset.title ?? "");
    host.append(h("div", { class: "planes" }, others.map(button)));
  }

  return { put };
}

/** Show the part below the planes. @param {SVGSVGElement} svg @param {HTMLElement} around @param {HTMLElement[]} all */
function panels(svg, around, all) {
  const { width, height } = svg.viewBox.baseVal;
  const bottom = Math.max(...all.map((plane) => boxOf(plane)[1] + boxOf(plane)[3]));
  const rest = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  for (const plane of $$(".dl-plane, .dl-plane-title", rest).filter(isOnTable)) plane.remove();
  rest.setAttribute("aria-label", say("Hands, piles and meters"));
  crop(rest, [0, bottom + GAP / 2, width, height - bottom - GAP / 2]);
  around.replaceChildren(rest);
}

/** Return true if a plane is not part of a panel. @param {HTMLElement} plane */
function isOnTable(plane) {
  return !plane.closest(".dl-panel");
}

/** Crop a picture to a box. @param {SVGSVGElement} svg @param {number[]} box */
function crop(svg, [x, y, width, height]) {
  svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
}

/** @param {HTMLElement} plane @returns {number[]} */
function boxOf(plane) {
  return String(plane.dataset.box).split(" ").map(Number);
}
