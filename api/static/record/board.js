// The table as a picture that can be tapped: what an action is about lights up.

import { putSvg } from "../ui.js";

/**
 * What an action's params mean on the table: each word by itself ("coral_palace"), and each value with the name of its
 * param ("number:3").
 */
export function placesOf(params, found = new Set(), name = "") {
  if (params !== null && typeof params === "object") {
    for (const [key, part] of Object.entries(params)) placesOf(part, found, Array.isArray(params) ? name : key);
    return found;
  }
  if (typeof params === "string") found.add(params);
  return found.add(`${name}:${params}`);
}

/** Whether `targets` mean a place: "coral_palace", "number:3", or "to,space:b5", which two params may mean. */
export function isMeant(place, targets) {
  const [value, names] = place.split(":").reverse();
  return names === undefined ? targets.has(value) : names.split(",").some((name) => targets.has(`${name}:${value}`));
}

/** Beside the buttons there is room for all of it; above them for the board alone. */
const isWide = window.matchMedia("(min-width: 60rem)");

export class Board {
  /**
   * @param {HTMLElement} host  where the board is
   * @param {HTMLDetailsElement} rest  where a phone has what is around it: hands, piles, meters
   * @param {{onPlace: (place: string, title: string) => void, onSeat: (seat: string) => void}} listeners
   */
  constructor(host, rest, listeners) {
    this.host = host;
    this.rest = rest;
    this.listeners = listeners;
    this.targets = new Set();
    /** What has been drawn, by its host. */
    this.drawn = new Map();
    for (const one of [host, rest]) one.addEventListener("click", (event) => this.tapped(event));
    rest.addEventListener("toggle", () => this.draw());
    isWide.addEventListener("change", () => this.draw());
  }

  tapped(event) {
    const element = event.target.closest("[data-place]");
    if (!element) return;
    const { place, seat } = element.dataset;
    if (place === seat) this.listeners.onSeat(seat);
    else this.listeners.onPlace(place, titleOf(element));
  }

  /** Draw the table as it is at `version` of the game at `url`; without an answer the old picture stays. */
  async draw(url = this.url, version = this.version) {
    Object.assign(this, { url, version });
    const pictures = [this.put(this.host, this.host, isWide.matches ? "wide" : "board")];
    if (this.rest.open && !isWide.matches) pictures.push(this.put(this.rest, this.rest.lastElementChild, "panels"));
    await Promise.all(pictures);
    this.light(this.targets, this.seat);
  }

  async put(frame, host, layout) {
    const address = `${this.url}/board.svg?at=${this.version}&layout=${layout}&changes=previous`;
    if (this.drawn.get(host) === address) return;
    try {
      const response = await fetch(address, { headers: { Accept: "image/svg+xml" } });
      if (!response.ok) return;
      putSvg(host, await response.text());
    } catch {
      return; // no network: the page says so elsewhere
    }
    this.drawn.set(host, address);
    frame.hidden = false;
  }

  /** Light up the places in `targets`; `seat` is the player who was chosen. */
  light(targets, seat = null) {
    Object.assign(this, { targets, seat });
    for (const frame of [this.host, this.rest]) {
      for (const element of frame.querySelectorAll("[data-place]")) {
        element.classList.toggle("is-target", isMeant(element.dataset.place, targets));
        element.classList.toggle("is-chosen", element.dataset.place === seat);
      }
    }
  }
}

function titleOf(element) {
  const title = element.querySelector("title");
  return title ? title.textContent : element.dataset.place;
}
