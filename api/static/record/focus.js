// Keyboard focus across redraws: the same target, or a place to continue from if that target is gone.

import { $$, isShown } from "../ui.js";

const REGIONS = "#board, #todo, #hands, #feed, #notices, .told, .at-thumb";
const FOCUSABLE = "button, summary, a[href], [tabindex]";
/** The attributes that identify a target however often it is drawn. */
const KEYS = ["place", "action", "value", "card", "range", "seat"];

/** @typedef {HTMLElement | SVGElement} Target */

export class Focus {
  /**
   * @param {HTMLElement} page
   * @param {import("./board.js").Board} board
   * @param {import("./panel.js").Panel} panel
   */
  constructor(page, board, panel) {
    this.page = page;
    this.board = board;
    this.panel = panel;
    /**
     * The target that was focused last.
     * @type {{element: Target, region: string, key: string, index: number} | null}
     */
    this.last = null;
    page.addEventListener("pointerdown", () => page.classList.add("is-touched"));
    document.addEventListener("keydown", () => page.classList.remove("is-touched"));
    page.addEventListener("focusin", (event) => this.remember(/** @type {Target} */ (event.target)));
    // A tap outside all targets clears the focus; so does a redraw, which removes the element.
    page.addEventListener("focusout", () =>
      queueMicrotask(() => {
        const isLeft = document.hasFocus() && !focusedElement() && !document.querySelector("dialog[open]");
        if (isLeft && this.last && isThere(this.last.element)) this.last = null;
      }),
    );
    new MutationObserver(() => this.restore()).observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ["hidden", "open", "tabindex", "disabled"],
    });
  }

  /** @param {Target} element */
  remember(element) {
    const region = element.closest(REGIONS);
    if (!region) return;
    const selector = region.id ? `#${region.id}` : `.${region.classList[0]}`;
    this.last = { element, region: selector, key: keyOf(element), index: targets(region).indexOf(element) };
  }

  /** Restore a focus that a redraw has lost. */
  restore() {
    if (!this.last || focusedElement() || isThere(this.last.element) || document.querySelector("dialog[open]")) return;
    const found = this.equivalent(this.last);
    found.focus({ preventScroll: true });
    if (found.matches(":focus-visible")) found.scrollIntoView({ block: "nearest" });
  }

  /** @param {NonNullable<Focus["last"]>} last @returns {Target} */
  equivalent({ element, region, key, index }) {
    const host = this.page.querySelector(region);
    const same = host && /** @type {Target[]} */ ($$(FOCUSABLE, host)).find((one) => keyOf(one) === key);
    const seen = same && visibleElement(same);
    if (seen && isThere(seen)) return seen;
    if (region === "#board") return this.board.nearest(element) ?? this.panel.first;
    const others = host && region !== "#todo" ? targets(host) : [];
    return others[Math.min(index, others.length - 1)] ?? this.panel.first;
  }
}

/** The focused element, if it is still there. */
function focusedElement() {
  const { activeElement } = document;
  const isElement = activeElement instanceof HTMLElement || activeElement instanceof SVGElement;
  return isElement && activeElement !== document.body && isThere(activeElement) ? activeElement : null;
}

/** @param {Target} element */
function isThere(element) {
  if (!element.isConnected || !element.checkVisibility() || element.matches(":disabled")) return false;
  return element.tabIndex >= 0 || element.hasAttribute("tabindex");
}

/** @param {Element} region @returns {Target[]} */
function targets(region) {
  return /** @type {Target[]} */ ($$(FOCUSABLE, region)).filter(isThere);
}

/** @param {Target} element */
function keyOf(element) {
  const key = KEYS.map((name) => element.dataset[name]).find(isShown);
  return key ?? (element.id || element.getAttribute("aria-label") || element.textContent || "");
}

/** The element, or the closed fold that contains it. @param {Target} element @returns {Target | null} */
function visibleElement(element) {
  let seen = /** @type {Target | null} */ (element);
  for (let fold = element.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    if (!fold.open && seen?.parentElement !== fold) seen = fold.querySelector("summary");
  return seen;
}
