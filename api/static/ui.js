// Small things that pages share: elements, toasts, sheets, pictures.

/**
 * An element: h("button", {class: "button", onclick: f, "aria-label": "Undo"}, "Undo"). A property whose value is
 * false, null or undefined is left out; one that begins with "on" is a listener.
 */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Say something in a corner for a moment; screen readers say it, too.
 * @param {string} text
 * @param {{kind?: "info" | "good" | "bad", action?: {label: string, run: Function}, seconds?: number}} options
 */
export function toast(text, { kind = "info", action, seconds = action ? 10 : 5 } = {}) {
  const end = () => box.remove();
  const box = h(
    "div",
    { class: `toast ${kind}` },
    h("span", {}, text),
    action && h("button", { type: "button", class: "button quiet", onclick: () => (end(), action.run()) }, action.label),
  );
  document.getElementById("toasts").append(box);
  setTimeout(end, seconds * 1000);
  return end;
}

const DOUBLE = 200; // ms within which the second click of a double click comes, and nobody has read what came up

/** A double click in `host` is one tap, whatever has come up under it: its second click is caught. Elsewhere taps are
 * as quick as anybody likes; the keyboard is as it was. */
export function catchDoubleClicks(host) {
  const shield = h("div", { class: "shield", "aria-hidden": "true", hidden: true });
  document.body.append(shield);
  let timer = null;
  host.addEventListener("click", (event) => {
    if (event.detail === 0) return;
    Object.assign(shield.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
    shield.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (shield.hidden = true), DOUBLE);
  });
}

/** Open a `<dialog class="sheet">`: from below on a phone, in the middle elsewhere. It closes by Escape, by its
 * `[data-close]` buttons and by a tap beside it; the focus goes back to where it was. */
export function openSheet(dialog) {
  if (!dialog.dataset.wired) {
    dialog.dataset.wired = "yes";
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("[data-close]")) dialog.close();
    });
  }
  dialog.showModal();
}

/**
 * Put a picture (the text of an SVG) into the page. Its own <style> would be against the page's policy: it becomes a
 * style sheet of the document, once.
 * @returns {SVGElement}
 */
export function putSvg(host, text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const style of parsed.querySelectorAll("style")) {
    adopt(style.textContent);
    style.remove();
  }
  const svg = document.importNode(parsed, true);
  host.replaceChildren(svg);
  return svg;
}

const adopted = new Set();

function adopt(text) {
  if (adopted.has(text)) return;
  adopted.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Copy a text; also where the page came over plain HTTP, which has no clipboard API. */
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = h("textarea", { class: "visually-hidden", "aria-hidden": "true" });
  field.value = text;
  (document.querySelector("dialog[open]") || document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

/** Keep something in this browser under a name; null forgets it. A browser that keeps nothing is no error. */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`driftlog.${name}`);
    else localStorage.setItem(`driftlog.${name}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the page works on without.
  }
}

/** What was kept under that name, or null. */
export function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(`driftlog.${name}`));
  } catch {
    return null;
  }
}
