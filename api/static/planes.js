// One picture of a table, shown as two: what is played on as large as there is room, and hands, piles and meters below.

import { $$, h, putSvg } from "./ui.js";
import { say } from "./words.js";

const GAP = 12; // between the planes and the panels of a picture

/**
 * Where the pictures of a game are shown.
 * @param {HTMLElement} host  for what is played on
 * @param {HTMLElement | null} around  for the rest; without it the picture stays whole
 * @returns {{put: (text: string) => void}}
 */
export function planes(host, around) {
  /** The plane that somebody chose, else the one where something happened last. */
  let shown = "";
  let isChosen = false;

  /** @param {string} text */
  function put(text) {
    const svg = putSvg(host, text);
    if (!around) return;
    const all = $$(".dl-plane", host).filter(isOnTable);
    if (all.length === 0) return;
    const news = all.findLast((plane) => plane.querySelector("[data-changed]"));
    if (!isChosen && news) shown = String(news.dataset.id);
    panels(svg, around, all);
    show(svg, all);
  }

  /** @param {SVGSVGElement} svg @param {HTMLElement[]} all */
  function show(svg, all) {
    const plane = all.find((one) => one.dataset.id === shown) ?? all[all.length - 1];
    for (const one of all) one.toggleAttribute("hidden", one !== plane);
    crop(svg, boxOf(plane));
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

/** What lies below the planes. @param {SVGSVGElement} svg @param {HTMLElement} around @param {HTMLElement[]} all */
function panels(svg, around, all) {
  const { width, height } = svg.viewBox.baseVal;
  const bottom = Math.max(...all.map((plane) => boxOf(plane)[1] + boxOf(plane)[3]));
  const rest = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  for (const plane of $$(".dl-plane, .dl-plane-title", rest).filter(isOnTable)) plane.remove();
  rest.setAttribute("aria-label", say("Hands, piles and meters"));
  crop(rest, [0, bottom + GAP / 2, width, height - bottom - GAP / 2]);
  around.replaceChildren(rest);
}

/** Panels have small ones of their own, such as a player's stars. @param {HTMLElement} plane */
function isOnTable(plane) {
  return !plane.closest(".dl-panel");
}

/** Show of a picture what is within a box. @param {SVGSVGElement} svg @param {number[]} box */
function crop(svg, [x, y, width, height]) {
  svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
}

/** @param {HTMLElement} plane @returns {number[]} */
function boxOf(plane) {
  return String(plane.dataset.box).split(" ").map(Number);
}
