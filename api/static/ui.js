// Helpers shared by pages: elements, toasts, sheets, pictures.

/**
 * Return the element with this id in the page's template.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]  its class, if needed: HTMLInputElement
 * @returns {T}
 */
export function $(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new TypeError(`This page has no such element: ${id}`);
  return /** @type {T} */ (found);
}

/**
 * Return all elements that match the selector within `host`, or in the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [host]
 * @returns {T[]}
 */
export function $$(selector, host = document) {
  return [.../** @type {NodeListOf<T>} */ (host.querySelectorAll(selector))];
}

/**
 * Return the nearest element around an event's target that matches the selector; null if there is none.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Create an element: h("button", {class: "button", onclick: f, "aria-label": "Undo"}, "Undo"). A property whose value is
 * false, null or undefined is skipped; one that begins with "on" is a listener. Children may be lists of children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} properties  texts, numbers, booleans and listeners
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
 * Return true if the child is an element or text to show.
 * @template T
 * @param {T | false | null | undefined} child
 * @returns {child is T}
 */
export function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}

/**
 * Show a message in a corner for a moment; screen readers read it out. It hides nothing from the next tap.
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
  } else {
    addEventListener("pointerdown", end, { once: true });
  }
  $("toasts").append(box);
  setTimeout(end, seconds * 1000);
  return end;
}

const DOUBLE = 300; // ms between the taps of a double tap, as on Android: too soon for the user to have read new content
const FINGER = 24; // px between them

/**
 * Make a double tap in `host` count as one tap, even if the content changes in between: the second click is dropped.
 * Clicks elsewhere and the keyboard are not affected.
 * @param {HTMLElement} host
 * @param {(event: MouseEvent) => boolean} [isRepeatable]  true if a second click would be meant
 */
export function catchDoubleClicks(host, isRepeatable = () => false) {
  const shield = h("div", { class: "shield", "aria-hidden": "true", hidden: true });
  document.body.append(shield);
  let last = { at: -DOUBLE, x: 0, y: 0 };
  /** @type {Timer} */
  let timer;
  host.addEventListener("click", (event) => {
    if (event.detail === 0 || isRepeatable(event)) return;
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY };
    Object.assign(shield.style, { left: `${last.x}px`, top: `${last.y}px` });
    shield.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (shield.hidden = true), DOUBLE);
  });
  // A busy page may receive the second tap after the shield was removed.
  const drop = (/** @type {MouseEvent} */ event) => {
    const isLate = event.detail === 0 || event.timeStamp - last.at >= DOUBLE;
    if (isLate || Math.hypot(event.clientX - last.x, event.clientY - last.y) > FINGER) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", drop, true);
}

/** The attributes that identify a tappable element across redraws. */
const SAME = ["action", "value", "place"];
const TAPPABLE = SAME.map((name) => `[data-${name}]`).join(", ");

/**
 * Make a click in `host` count if the pressed element is redrawn before the release: a browser drops such a click.
 * Touch taps need no help.
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

/** The initial HTML of each element. @type {WeakMap<Element, string>} */
const made = new WeakMap();

/**
 * Make `host` show exactly these elements. An element equal to an existing one is dropped, and the existing one
 * stays: the user may be about to tap it, or have opened it.
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
 * Open a `<dialog class="sheet">`: from below on a phone, in the middle elsewhere. Escape, its `[data-close]` buttons,
 * a tap beside it and Back close it; Back does not leave the page while a sheet is open. The focus then returns to where
 * it was.
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

/** True if the history is at the entry that `guard` added. */
let isGuarded = false;
let isHeard = false;

/** Add a history entry, so that Back leaves this entry instead of the page. It stays for the next sheet. */
function guard() {
  if (!isHeard) window.addEventListener("popstate", onHistoryBack);
  isHeard = true;
  if (!history.state?.isGuard) {
    // Links within the page add entries, too, so identify our entry by its mark.
    history.replaceState({ ...history.state, isBelowGuard: true }, "");
    history.pushState({ isGuard: true }, "");
  }
  isGuarded = true;
}

function onHistoryBack() {
  const wasGuarded = isGuarded;
  isGuarded = Boolean(history.state?.isGuard);
  if (!wasGuarded || !history.state?.isBelowGuard) return;
  /** @type {HTMLDialogElement[]} */
  const sheets = $$("dialog[open]");
  const top = sheets.pop();
  // No sheet was open, so go back once more.
  if (!top) setTimeout(() => history.back());
  top?.close();
  if (sheets.length) guard();
}

/**
 * Put a picture (the text of an SVG) into the page. The page's content security policy forbids its <style>, so that
 * becomes a style sheet of the document, once.
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
 * Vibrate the phone, if it can: pulse lengths and pauses in ms.
 * @param {number | number[]} pulses
 */
export function buzz(pulses) {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(pulses);
}

/** Return a tap listener that receives its element. @param {(element: HTMLElement) => void} listener */
export function tapListener(listener) {
  return (/** @type {MouseEvent} */ event) => listener(/** @type {HTMLElement} */ (event.currentTarget));
}

/** Return the message of an error. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Copy a text, also on plain HTTP, which has no clipboard API. @param {string} text */
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
 * Store a value in this browser under a name; null deletes it. Failures are ignored.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`driftlog.${name}`);
    else localStorage.setItem(`driftlog.${name}`, JSON.stringify(value));
  } catch {
    // The window is private or the disk is full. The page works without the stored value.
  }
}

/** Return the stored value of a name; null if there is none. @param {string} name @returns {any} */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(`driftlog.${name}`) ?? "null");
  } catch {
    return null;
  }
}
