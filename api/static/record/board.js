// The table as a picture with tappable places: the places of legal actions are highlighted.

import { middle, nearest, WAYS } from "../arrows.js";
import { $$, around, h, putSvg } from "../ui.js";
import { isMeant, mark, placesOf, unmark } from "./marks.js";
import { move, placements, swell } from "./motion.js";
import { namesOnLongPress, titleOf } from "./names.js";
import { sign } from "./signs.js";

/** px: minimum width and height of the touch target of a highlighted place, even if it is drawn smaller. */
const REACH = 44;
/** px: minimum width and height of a highlighted place that a finger can hit exactly. */
const EXACT = 24;
/** The rim around a piece, as a fraction of the piece's width. */
const RIM = 0.2;

export class Board {
  /**
   * @param {HTMLElement} host  the element of the board
   * @param {HTMLDetailsElement} rest  the element of hands, piles and meters
   * @param {{onPlace: (place: string, title: string, element: Element) => void, onSeat: (seat: string, tile: HTMLElement | null) => void,
   *   onReach: (places: Element[], touched: Element | null) => void,
   *   onDrawn?: (summary: Summary) => void}} listeners
   */
  constructor(host, rest, listeners) {
    this.host = host;
    this.rest = rest;
    this.listeners = listeners;
    /** @type {Set<string>} */
    this.targets = new Set();
    /**
     * The actions at a place, for its marks and its name.
     * @type {(place: string) => {symbols: string[], told: string}}
     */
    this.meaning = () => ({ symbols: [], told: "" });
    /** @type {string | null} */
    this.seat = null;
    /** The highlighted tile in the tab order. */
    this.current = "";
    /** All places that a tile, or a piece other than a pawn, ever had on this page. @type {Set<string>} */
    this.places = new Set();
    /** The plane that the user chose, if there are several. */
    this.plane = "";
    /** The id of the prose that the table reads. @type {string | undefined} */
    this.passage = undefined;
    /** The game and version that were drawn last. */
    this.url = "";
    this.version = 0;
    /** The level of the first meter, such as the water. @type {number | undefined} */
    this.level = undefined;
    /** The picture of the board, as text. @type {string | null} */
    this.picture = null;
    /** The drawn picture of each host. @type {Map<Element, string>} */
    this.drawn = new Map();
    host.dataset.reach = String(REACH);
    for (const one of [host, rest]) one.addEventListener("click", (event) => this.onTap(event));
    host.addEventListener("keydown", (event) => this.pressed(event));
    host.addEventListener("focusin", (event) => {
      const lit = around(event, ".is-target[role=button]");
      if (lit) this.rove(lit);
    });
    namesOnLongPress(host);
    rest.addEventListener("toggle", () => this.draw());
  }

  /** The layout to request. */
  get layout() {
    return "board";
  }

  /** @param {Event} event */
  onTap(event) {
    const element = around(event, "[data-place]");
    const { place = "", seat } = element?.dataset ?? {};
    const near = event instanceof PointerEvent && event.pointerType === "touch" ? this.near(event, element) : [];
    const tile = element?.dataset.kind === "piece" ? under(event) : null;
    if (near.length > 0 && place !== seat) this.listeners.onReach(near, element);
    else if (!element) return;
    else if (place === seat) this.listeners.onSeat(seat, tile);
    else if (tile?.dataset.place && !element.matches(".is-target"))
      this.listeners.onPlace(tile.dataset.place, titleOf(tile), tile);
    else this.listeners.onPlace(place, titleOf(element), element);
  }

  /**
   * The highlighted places that a finger may mean, unless it hit one exactly: small ones around it, if there are any,
   * and the touched one.
   * @param {PointerEvent} event
   * @param {HTMLElement | null} touched
   * @returns {Element[]}
   */
  near({ clientX, clientY, currentTarget }, touched) {
    if (currentTarget !== this.host) return [];
    const lit = this.lit();
    if (lit.some((one) => /** @type {Element} */ (one) === touched && isExact(one))) return [];
    const small = lit.filter((one) => {
      const { width, height } = faceOf(one).getBoundingClientRect();
      const [x, y] = middle(faceOf(one));
      const isSmall = Math.min(width, height) < REACH;
      const reach = (/** @type {number} */ size) => Math.max(size, REACH) / 2;
      return isSmall && Math.abs(clientX - x) <= reach(width) && Math.abs(clientY - y) <= reach(height);
    });
    const others = lit.filter((one) => /** @type {Element} */ (one) === touched && !small.includes(one));
    return small.length > 0 ? [...small, ...others] : [];
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

  /** Move to the nearest highlighted tile in that direction. @param {Element} from @param {[number, number]} way */
  step(from, way) {
    nearest(from, this.lit(), way)?.focus();
  }

  /**
   * The highlighted tile nearest to an element that may be redrawn or gone.
   * @param {Element} element
   * @returns {SVGElement | null}
   */
  nearest(element) {
    const place = element.getAttribute("data-place");
    const here = $$("[data-place]", this.host).find((one) => one.dataset.place === place);
    const lit = this.lit();
    if (!here || lit.length === 0) return lit[0] ?? null;
    const [x, y] = middle(here);
    const far = (/** @type {Element} */ one) => Math.hypot(middle(one)[0] - x, middle(one)[1] - y);
    return lit.reduce((best, one) => (far(one) < far(best) ? one : best));
  }

  /** Put one of the highlighted tiles into the tab order. @param {Element | undefined} chosen */
  rove(chosen) {
    for (const one of this.lit()) one.setAttribute("tabindex", one === chosen ? "0" : "-1");
    this.current = chosen?.getAttribute("data-place") ?? "";
  }

  /** The highlighted tiles of the visible plane. @returns {SVGElement[]} */
  lit() {
    const all = /** @type {unknown[]} */ ($$(".dl-plane:not([hidden]) .is-target[role=button]", this.host));
    return /** @type {SVGElement[]} */ (all);
  }

  /**
   * Draw the table at `version` of the game at `url`; if the service does not answer, the old picture stays.
   * @param {string} [url]
   * @param {number} [version]
   * @param {string | null} [picture]  the picture, if it was already received, in the requested layout
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
      return; // offline: the page shows that elsewhere
    }
  }

  /**
   * The URL of the picture; it marks changes, except after the setup, where everything is new.
   * @param {string} layout
   */
  address(layout) {
    const changes = this.version > 2 ? "&changes=previous" : "";
    return `${this.url}/board.svg?at=${this.version}&layout=${layout}${changes}`;
  }

  /** @param {HTMLElement} frame @param {Element} host @param {string} address @param {string} picture */
  show(frame, host, address, picture) {
    const before = placements(host);
    const svg = putSvg(host, picture);
    if (host === this.host) this.picture = picture;
    this.drawn.set(host, address);
    frame.hidden = false;
    // Its parts are buttons, so it must not have the role of an image.
    svg.setAttribute("role", "group");
    if (host === this.host) this.showBoard(svg);
    move(before, host);
    this.light(this.targets, this.seat);
    // Check again later: a moving piece covers other places only after it has arrived.
    const arrived = () => this.uncover(this.lit());
    for (const one of host.getAnimations({ subtree: true })) one.finished.then(arrived, arrived);
  }

  /** @param {SVGSVGElement} svg */
  showBoard(svg) {
    const { host } = this;
    for (const { dataset } of $$("[data-place]", host))
      if (dataset.place !== dataset.seat) this.places.add(`${dataset.place}`);
    const told = svg.querySelector("metadata");
    if (told?.textContent) {
      /** @type {Summary} */
      const summary = JSON.parse(told.textContent);
      const level = summary.meters[0]?.at;
      if (this.level !== undefined && level > this.level) swell(host);
      this.level = level;
      // The table reads the next prose on its page, even if someone has turned to the map.
      if (summary.passage?.id !== this.passage) this.plane = "";
      this.passage = summary.passage?.id;
      this.listeners.onDrawn?.(summary);
    }
    told?.remove();
    this.choose(svg);
  }

  /**
   * Show one of several planes: the chosen one, otherwise the one with the most highlighted tiles.
   * @param {SVGSVGElement} svg
   */
  choose(svg) {
    const planes = $$(".dl-plane", this.host);
    /** @param {HTMLElement} plane */
    const lit = (plane) =>
      $$("[data-place]", plane).filter((one) => isMeant(String(one.dataset.place), this.targets)).length;
    // If several planes have the same number, choose the last one: the open page of a book is on top of the map.
    const chosen =
      planes.find((one) => one.dataset.id === this.plane) ?? planes.toReversed().toSorted((a, b) => lit(b) - lit(a))[0];
    if (!chosen) return;
    this.host.dataset.backdrop = chosen.dataset.backdrop ?? "page";
    svg.setAttribute("viewBox", String(chosen.dataset.box));
    const [, , width, height] = String(chosen.dataset.box).split(" ").map(Number);
    this.host.parentElement?.style.setProperty("--tall", String(height / width));
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
            h("span", {}, plane.dataset.title ?? ""),
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

  /** Show the plane of the current question. */
  turnToLit() {
    const lit = ".is-target[role=button]";
    const hidden = $$(".dl-plane[hidden]", this.host).find((plane) => plane.querySelector(lit));
    const svg = this.host.querySelector("svg");
    if (!hidden || !svg || this.lit().length) return;
    for (const buttons of $$(".planes", this.host)) buttons.remove();
    this.plane = "";
    this.choose(svg);
  }

  /** Let taps pass through the pieces on the middle of a highlighted tile. @param {SVGElement[]} lit */
  uncover(lit) {
    const middles = lit.map((one) => middle(faceOf(one)));
    for (const piece of $$("[data-kind=piece]", this.host)) {
      const isLit = piece.getAttribute("role") === "button";
      piece.classList.toggle("is-covering", !isLit && middles.some((point) => isAt(piece, point)));
    }
  }

  /** Return true if an action can be tapped on the board. @param {unknown} params */
  has(params) {
    return this.placesIn(placesOf(params)).length > 0;
  }

  /** The places of the board that a set of targets means. @param {Set<string>} targets */
  placesIn(targets) {
    return [...this.places].filter((place) => isMeant(place, targets));
  }

  /** Ring the places of a rejected tap. @param {string[]} places */
  ring(places) {
    for (const place of $$("[data-place]", this.host))
      place.classList.toggle("is-refused", places.includes(String(place.dataset.place)));
  }

  /**
   * Highlight the places in `targets`; `seat` is the chosen player.
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
      // A browser removes the focus from an element that loses its tabindex, even for a moment.
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
    this.uncover(lit);
    this.rove(lit.find((one) => one.dataset.place === this.current) ?? lit[0]);
    for (const element of $$("[data-place]", this.rest)) {
      element.classList.toggle("is-target", isMeant(String(element.dataset.place), targets));
    }
  }
}

/** Return true if a piece contains a point of the page. @param {Element} piece @param {[number, number]} point */
function isAt(piece, [x, y]) {
  const { left, right, top, bottom, width } = piece.getBoundingClientRect();
  // The box of a piece does not include the rim, but the rim can be tapped, too.
  const rim = width * RIM;
  return left - rim <= x && x <= right + rim && top - rim <= y && y <= bottom + rim;
}

/** The highlighted tile under a piece, which hides most of it. @param {Event} event @returns {HTMLElement | null} */
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

/** Return true if a finger can hit a place without touching its neighbours. @param {Element} place */
function isExact(place) {
  const { width, height } = faceOf(place).getBoundingClientRect();
  return Math.min(width, height) >= EXACT;
}

/** The part of a place that looks like a button. @param {Element} place */
function faceOf(place) {
  return place.querySelector(":scope > .dl-face") ?? place;
}
