// Small things that pages share: elements, toasts, sheets, pictures.

/**
 * The element of that id, which the page's template has.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]  what it is, where that matters: HTMLInputElement
 * @returns {T}
 */
export function $(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new TypeError(`This page has no such element: ${id}`);
  return /** @type {T} */ (found);
}

/**
 * All that the selector means in an element, or in the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [host]
 * @returns {T[]}
 */
export function $$(selector, host = document) {
  return [.../** @type {NodeListOf<T>} */ (host.querySelectorAll(selector))];
}

/**
 * The nearest element around the target of an event that the selector means; null where there is none.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * An element: h("button", {class: "button", onclick: f, "aria-label": "Undo"}, "Undo"). A property whose value is
 * false, null or undefined is left out; one that begins with "on" is a listener. Children may be lists of children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} properties  texts, numbers and booleans, and listeners
 * @param {...(Child | Child[] | Child[][])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(.../** @type {Child[]} */ (children.flat(2)).filter(isShown));
  return element;
}

/**
 * Whether there is something to be shown.
 * @template T
 * @param {T | false | null | undefined} child
 * @returns {child is T}
 */
export function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}

/**
 * Say something in a corner for a moment; screen readers say it, too.
 * @param {string} text
 * @param {{kind?: "info" | "good" | "bad", action?: {label: string, run: Function}, seconds?: number}} options
 */
export function toast(text, { kind = "info", action, seconds = action ? 10 : 5 } = {}) {
  const end = () => box.remove();
  const box = h("div", { class: `toast ${kind}` }, h("span", {}, text));
  if (action) {
    const run = () => {
      end();
      action.run();
    };
    box.append(h("button", { type: "button", class: "button quiet", onclick: run }, action.label));
  }
  $("toasts").append(box);
  setTimeout(end, seconds * 1000);
  return end;
}

const DOUBLE = 200; // ms within which the second click of a double click comes, and nobody has read what came up

/**
 * A double click in `host` is one tap, whatever has come up under it: its second click is caught. Elsewhere taps are
 * as quick as anybody likes; the keyboard is as it was.
 * @param {HTMLElement} host
 */
export function catchDoubleClicks(host) {
  const shield = h("div", { class: "shield", "aria-hidden": "true", hidden: true });
  document.body.append(shield);
  /** @type {Timer} */
  let timer;
  host.addEventListener("click", (event) => {
    if (event.detail === 0) return;
    Object.assign(shield.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
    shield.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (shield.hidden = true), DOUBLE);
  });
}

/** What is told of a thing that can be tapped: it is the same one however often it is drawn. */
const SAME = ["action", "value", "place"];
const TAPPABLE = SAME.map((name) => `[data-${name}]`).join(", ");

/**
 * A click in `host` counts where what was pressed is drawn anew before it is let go: a browser forgets such a click.
 * A finger's tap it finds again by itself.
 * @param {HTMLElement} host
 */
export function keepClicks(host) {
  /** @type {HTMLElement | null} */
  let pressed = null;
  host.addEventListener("pointerdown", (event) => {
    pressed = event.pointerType === "mouse" ? around(event, TAPPABLE) : null;
  });
  host.addEventListener("pointerup", ({ clientX, clientY }) => {
    if (!pressed || pressed.isConnected) return;
    /** @type {HTMLElement | null | undefined} */
    const now = document.elementFromPoint(clientX, clientY)?.closest(TAPPABLE);
    if (!now || SAME.some((name) => now.dataset[name] !== pressed?.dataset[name])) return;
    now.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX, clientY }));
  });
}

/** What an element looked like when it was made. @type {WeakMap<Element, string>} */
const made = new WeakMap();

/**
 * Have `host` show these elements, and no others. One that looks like one that is there already is left out, and that
 * one stays: somebody may be about to tap it, or have opened it.
 * @param {HTMLElement} host
 * @param {HTMLElement[]} elements
 */
export function renew(host, elements) {
  const before = new Map([...host.children].map((one) => [made.get(one), one]));
  const shown = elements.map((one) => {
    const look = one.outerHTML;
    const same = before.get(look);
    before.delete(look);
    made.set(same ?? one, look);
    return same ?? one;
  });
  const stays = new Set(shown);
  for (const one of [...host.children]) if (!stays.has(one)) one.remove();
  shown.forEach((one, at) => {
    if (host.children[at] !== one) host.insertBefore(one, host.children[at] ?? null);
  });
}

/**
 * Open a `<dialog class="sheet">`: from below on a phone, in the middle elsewhere. It closes by Escape, by its
 * `[data-close]` buttons, by a tap beside it and by Back, which does not leave the page while one is open; the focus goes
 * back to where it was.
 * @param {HTMLDialogElement} dialog
 */
export function openSheet(dialog) {
  if (!dialog.dataset.wired) {
    dialog.dataset.wired = "yes";
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || around(event, "[data-close]")) dialog.close();
    });
  }
  dialog.showModal();
  guard();
}

/** Whether the history stands at the entry that `guard` has made. */
let isGuarded = false;
let isHeard = false;

/** Have an entry of the history that Back leaves instead of the page. It stays when the sheet closes, for the next one. */
function guard() {
  if (!isHeard) window.addEventListener("popstate", wentBack);
  isHeard = true;
  if (!history.state?.isGuard) {
    // A link to a place on the page makes an entry as well: what Back leads to is known by its mark.
    history.replaceState({ ...history.state, isBelowGuard: true }, "");
    history.pushState({ isGuard: true }, "");
  }
  isGuarded = true;
}

function wentBack() {
  const wasGuarded = isGuarded;
  isGuarded = Boolean(history.state?.isGuard);
  if (!wasGuarded || !history.state?.isBelowGuard) return;
  /** @type {HTMLDialogElement[]} */
  const sheets = $$("dialog[open]");
  const top = sheets.pop();
  // Nothing was left but the entry itself: Back means the page.
  if (!top) setTimeout(() => history.back());
  top?.close();
  if (sheets.length) guard();
}

/**
 * Put a picture (the text of an SVG) into the page. Its own <style> would be against the page's policy: it becomes a
 * style sheet of the document, once.
 * @param {Element} host
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function putSvg(host, text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const style of parsed.querySelectorAll("style")) {
    adopt(style.textContent ?? "");
    style.remove();
  }
  const svg = /** @type {SVGSVGElement} */ (/** @type {Node} */ (document.importNode(parsed, true)));
  host.replaceChildren(svg);
  return svg;
}

const adopted = new Set();

/** @param {string} text */
function adopt(text) {
  if (adopted.has(text)) return;
  adopted.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Let a phone that can be felt say something: short pulses, of so many ms and with so many between them.
 * @param {number | number[]} pulses
 */
export function buzz(pulses) {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(pulses);
}

/** A listener of taps that is given the element it stands at. @param {(element: HTMLElement) => void} listener */
export function tapped(listener) {
  return (/** @type {MouseEvent} */ event) => listener(/** @type {HTMLElement} */ (event.currentTarget));
}

/** What an error says. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Copy a text; also where the page came over plain HTTP, which has no clipboard API. @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = h("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  field.value = text;
  (document.querySelector("dialog[open]") || document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/**
 * Keep something in this browser under a name; null forgets it. A browser that keeps nothing is no error.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`driftlog.${name}`);
    else localStorage.setItem(`driftlog.${name}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the page works on without.
  }
}

/** What was kept under that name, or null. @param {string} name @returns {any} */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`driftlog.${name}`) ?? "null");
  } catch {
    return null;
  }
}
