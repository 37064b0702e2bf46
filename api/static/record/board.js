// The table as a picture that can be tapped: what an action is about lights up.

import { middle, nearest, WAYS } from "../arrows.js";
import { $$, around, h, putSvg } from "../ui.js";
import { mark, unmark } from "./marks.js";
import { sign } from "./signs.js";
import { isAway } from "./slide.js";

/**
 * What an action's params mean on the table: each word by itself ("coral_palace"), and each value with the name of its
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

/** Whether `targets` mean a place: "coral_palace", "number:3", or "to,space:b5", which two params may mean. @param {string} place @param {Set<string>} targets */
export function isMeant(place, targets) {
  const [value, names] = place.split(":").reverse();
  return names === undefined ? targets.has(value) : names.split(",").some((name) => targets.has(`${name}:${value}`));
}

/** ms after which a finger that rests asks what it rests on. */
const LONG = 400;

export class Board {
  /**
   * @param {HTMLElement} host  where the board is
   * @param {HTMLDetailsElement} rest  where what is around it is drawn: hands, piles, meters
   * @param {{onPlace: (place: string, title: string, element: Element) => void, onSeat: (seat: string, tile: HTMLElement | null) => void,
   *   onDrawn?: (summary: Summary) => void}} listeners
   */
  constructor(host, rest, listeners) {
    this.host = host;
    this.rest = rest;
    this.listeners = listeners;
    /** @type {Set<string>} */
    this.targets = new Set();
    /** What can be done at a place, for its marks and its name. @type {(place: string) => {symbols: string[], told: string}} */
    this.meaning = () => ({ symbols: [], told: "" });
    /** @type {string | null} */
    this.seat = null;
    /** The lit tile that Tab comes to. */
    this.current = "";
    /** All places that a tile, or a piece that is no pawn, ever had here. @type {Set<string>} */
    this.places = new Set();
    /** The plane that somebody chose to see, where there are several. */
    this.plane = "";
    /** The game, and its version, that were drawn last. */
    this.url = "";
    this.version = 0;
    /** The picture of the board, as text. @type {string | null} */
    this.picture = null;
    /** What has been drawn, by its host. @type {Map<Element, string>} */
    this.drawn = new Map();
    for (const one of [host, rest]) one.addEventListener("click", (event) => this.tapped(event));
    host.addEventListener("keydown", (event) => this.pressed(event));
    host.addEventListener("focusin", (event) => {
      const lit = around(event, ".is-target[role=button]");
      if (lit) this.rove(lit);
    });
    this.namesOnLongPress();
    rest.addEventListener("toggle", () => this.draw());
  }

  /** How it is laid out. */
  get layout() {
    return "board";
  }

  /** @param {Event} event */
  tapped(event) {
    const element = around(event, "[data-place]");
    if (!element) return;
    const { place = "", seat } = element.dataset;
    if (place === seat) this.listeners.onSeat(seat, element.dataset.kind === "piece" ? under(event) : null);
    else this.listeners.onPlace(place, titleOf(element), element);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const from = around(event, ".is-target");
    if (!from) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) from.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else if (WAYS[event.key]) {
      event.preventDefault();
      this.step(from, WAYS[event.key]);
    }
  }

  /** To the nearest lit tile that way. @param {Element} from @param {[number, number]} way */
  step(from, way) {
    nearest(from, this.lit(), way)?.focus();
  }

  /** The lit tile nearest to a place, which may be drawn anew or gone. @param {Element} element @returns {SVGElement | null} */
  nearest(element) {
    const place = element.getAttribute("data-place");
    const here = $$("[data-place]", this.host).find((one) => one.dataset.place === place);
    const lit = this.lit();
    if (!here || lit.length === 0) return lit[0] ?? null;
    const [x, y] = middle(here);
    const far = (/** @type {Element} */ one) => Math.hypot(middle(one)[0] - x, middle(one)[1] - y);
    return lit.reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  /** Have Tab come to one of the lit tiles. @param {Element | undefined} chosen */
  rove(chosen) {
    for (const one of this.lit()) one.setAttribute("tabindex", one === chosen ? "0" : "-1");
    this.current = chosen?.getAttribute("data-place") ?? "";
  }

  /** The lit tiles of the plane that is shown. @returns {SVGElement[]} */
  lit() {
    const all = /** @type {unknown[]} */ ($$(".dl-plane:not([hidden]) .is-target[role=button]", this.host));
    return /** @type {SVGElement[]} */ (all);
  }

  /** A finger that rests on a tile asks for its name, and does nothing. */
  namesOnLongPress() {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {HTMLElement | null} */
    let plate = null;
    let isAsked = false;
    let since = 0;
    /** @type {PointerEvent} */
    let down;
    this.host.addEventListener("pointerdown", (event) => {
      down = event;
      const element = around(event, "[data-kind=tile], [data-kind=piece]");
      isAsked = false;
      since = event.timeStamp;
      if (!element) return;
      timer = setTimeout(() => {
        isAsked = true;
        plate = h("div", { class: "name-plate", "aria-hidden": "true" }, titleOf(element));
        document.body.append(plate);
        const { left, top: edge, width } = element.getBoundingClientRect();
        const shown = document.querySelector("dialog.bubble")?.getBoundingClientRect();
        const top = Math.min(edge, shown?.top ?? edge);
        const room = window.innerWidth - plate.offsetWidth - 8;
        plate.style.left = `${Math.max(8, Math.min(room, left + width / 2 - plate.offsetWidth / 2))}px`;
        plate.style.top = `${Math.max(8, top - plate.offsetHeight - 12)}px`;
      }, LONG);
    });
    // One that slides asks for something else.
    this.host.addEventListener("pointermove", (event) => down && isAway(down, event) && clearTimeout(timer));
    this.host.addEventListener("pointerleave", () => clearTimeout(timer));
    for (const end of ["pointerup", "pointercancel"]) {
      // Wherever that is.
      document.addEventListener(end, (event) => {
        // A page that is busy hears late of a finger that was gone at once: that was a tap.
        if (event.timeStamp - since < LONG) isAsked = false;
        clearTimeout(timer);
        plate?.remove();
      });
    }
    this.host.addEventListener("contextmenu", (event) => isAsked && event.preventDefault());
    this.host.addEventListener(
      "click",
      (event) => {
        if (isAsked) event.stopImmediatePropagation();
        isAsked = false;
      },
      { capture: true },
    );
  }

  /**
   * Draw the table as it is at `version` of the game at `url`; without an answer the old picture stays.
   * @param {string} [url]
   * @param {number} [version]
   * @param {string | null} [picture]  it, where it is here already, as it was laid out when it was asked for
   */
  async draw(url = this.url, version = this.version, picture = null) {
    Object.assign(this, { url, version });
    if (picture) this.show(this.host, this.host, this.address(this.layout), picture);
    const pictures = [this.put(this.host, this.host, this.layout)];
    const panels = this.rest.lastElementChild;
    if (this.rest.open && panels) pictures.push(this.put(this.rest, panels, "panels"));
    await Promise.all(pictures);
  }

  /** @param {HTMLElement} frame @param {Element} host @param {string} layout */
  async put(frame, host, layout) {
    const address = this.address(layout);
    if (this.drawn.get(host) === address) return;
    try {
      const response = await fetch(address, { headers: { Accept: "image/svg+xml" } });
      if (!response.ok) return;
      const picture = await response.text();
      if (address === this.address(layout)) this.show(frame, host, address, picture);
    } catch {
      return; // no network: the page says so elsewhere
    }
  }

  /** What happened at the set-up is no news: all of it would be. @param {string} layout */
  address(layout) {
    const changes = this.version > 2 ? "&changes=previous" : "";
    return `${this.url}/board.svg?at=${this.version}&layout=${layout}${changes}`;
  }

  /** @param {HTMLElement} frame @param {Element} host @param {string} address @param {string} picture */
  show(frame, host, address, picture) {
    const svg = putSvg(host, picture);
    if (host === this.host) this.picture = picture;
    this.drawn.set(host, address);
    frame.hidden = false;
    // Its parts are buttons: it is no image that is read out as one.
    svg.setAttribute("role", "group");
    if (host === this.host) this.showBoard(svg);
    this.light(this.targets, this.seat);
  }

  /** @param {SVGSVGElement} svg */
  showBoard(svg) {
    const { host } = this;
    for (const { dataset } of $$("[data-place]", host))
      if (dataset.place !== dataset.seat) this.places.add(`${dataset.place}`);
    const told = svg.querySelector("metadata");
    if (told?.textContent) this.listeners.onDrawn?.(JSON.parse(told.textContent));
    told?.remove();
    this.choose(svg);
  }

  /** Where there are several planes one is shown: the one that was chosen, else the one with most to tap. @param {SVGSVGElement} svg */
  choose(svg) {
    const planes = $$(".dl-plane", this.host);
    /** @param {HTMLElement} plane */
    const lit = (plane) =>
      $$("[data-place]", plane).filter((one) => isMeant(String(one.dataset.place), this.targets)).length;
    // With as much to tap on each, the last one: the page that is open lies on the map.
    const chosen =
      planes.find((one) => one.dataset.id === this.plane) ?? planes.toReversed().toSorted((a, b) => lit(b) - lit(a))[0];
    if (!chosen) return;
    this.host.dataset.backdrop = chosen.dataset.backdrop ?? "paper";
    svg.setAttribute("viewBox", String(chosen.dataset.box));
    if (planes.length < 2) return;
    for (const plane of planes) plane.toggleAttribute("hidden", plane !== chosen);
    const others = planes.filter((plane) => plane !== chosen);
    this.host.append(
      h(
        "div",
        { class: "planes" },
        others.map((plane) =>
          h(
            "button",
            { type: "button", class: "button", onclick: () => this.turnTo(svg, String(plane.dataset.id)) },
            sign(plane.dataset.id === "map" ? "ship" : "book"),
            plane.dataset.title ?? "",
          ),
        ),
      ),
    );
  }

  /** @param {SVGSVGElement} svg @param {string} plane */
  turnTo(svg, plane) {
    this.plane = plane;
    for (const buttons of $$(".planes", this.host)) buttons.remove();
    this.choose(svg);
    this.light(this.targets, this.seat);
    $$(".planes button", this.host)[0]?.focus();
  }

  /** What is asked is on the plane that is shown. */
  turnToLit() {
    const lit = ".is-target[role=button]";
    const hidden = $$(".dl-plane[hidden]", this.host).find((plane) => plane.querySelector(lit));
    const svg = this.host.querySelector("svg");
    if (!hidden || !svg || this.lit().length) return;
    for (const buttons of $$(".planes", this.host)) buttons.remove();
    this.plane = "";
    this.choose(svg);
  }

  /** Whether an action is about a tile of the board, and so can be tapped there. @param {unknown} params */
  has(params) {
    const targets = placesOf(params);
    return [...this.places].some((place) => isMeant(place, targets));
  }

  /** Ring the places that a refused tap is about. @param {string[]} places */
  ring(places) {
    for (const place of $$("[data-place]", this.host))
      place.classList.toggle("is-refused", places.includes(String(place.dataset.place)));
  }

  /**
   * Light up the places in `targets`; `seat` is the player who was chosen.
   * @param {Set<string>} targets
   * @param {string | null} [seat]
   */
  light(targets, seat = null) {
    Object.assign(this, { targets, seat });
    let isLit = false;
    for (const element of $$("[data-place]", this.host)) {
      const place = String(element.dataset.place);
      const isTarget = isMeant(place, targets);
      element.classList.toggle("is-target", isTarget);
      element.classList.toggle("is-chosen", place === seat);
      const isLitTile = isTarget && place !== element.dataset.seat;
      // A browser takes the focus from an element whose tabindex goes, even for a moment.
      unmark(element, { isLit: isLitTile });
      if (!isLitTile) continue;
      const { symbols, told } = this.meaning(place);
      mark(element, symbols);
      element.setAttribute("role", "button");
      element.setAttribute("tabindex", "-1");
      element.setAttribute("aria-label", told ? `${titleOf(element)}: ${told}` : titleOf(element));
      isLit = true;
    }
    this.host.classList.toggle("has-lit", isLit);
    this.turnToLit();
    const lit = this.lit();
    this.rove(lit.find((one) => one.dataset.place === this.current) ?? lit[0]);
    for (const element of $$("[data-place]", this.rest)) {
      element.classList.toggle("is-target", isMeant(String(element.dataset.place), targets));
    }
  }
}

/** The tile that can be tapped below a pawn, which hides most of it. @param {Event} event @returns {HTMLElement | null} */
function under(event) {
  if (!(event instanceof MouseEvent)) return null;
  const stack = document.elementsFromPoint(event.clientX, event.clientY);
  return (
    stack
      .map((one) => one.closest("[data-kind=tile]"))
      .find((one) => one)
      ?.closest(".is-target") ?? null
  );
}

/** @param {Element} element */
export function titleOf(element) {
  return element.querySelector("title")?.textContent ?? element.getAttribute("data-place") ?? "";
}
