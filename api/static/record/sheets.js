// Temporary sheets: created, shown and removed.

import { h, isShown, messageOf, openSheet } from "../ui.js";
import { say } from "../words.js";

/**
 * Open a sheet; it is removed when it closes.
 * @param {string} title
 * @param {...(Element | null)} children
 * @returns {{dialog: HTMLDialogElement, body: HTMLElement, close: () => void}}
 */
export function sheet(title, ...children) {
  const body = h("div", { class: "stack sheet-body" }, children);
  const id = `sheet-${Date.now()}`;
  const dialog = h(
    "dialog",
    { class: "sheet", "aria-labelledby": id },
    h(
      "div",
      { class: "sheet-head" },
      h("h2", { id }, title),
      h(
        "button",
        { type: "button", class: "button quiet square", "data-close": true, "aria-label": say("Close") },
        "✕",
      ),
    ),
    body,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  openSheet(dialog);
  return { dialog, body, close: () => dialog.close() };
}

/** @typedef {[label: string, run: () => void, kind?: string]} Item */

/**
 * Large buttons. A tap first calls `then`. Labels that begin like the first one follow it, and show only the rest.
 * @param {(Item | false)[]} entries
 * @param {() => void} then
 */
export function menuButtons(entries, then) {
  const [first, ...others] = entries.filter(isShown);
  const start = `${first?.[0]}, `;
  const goesOn = (/** @type {Item} */ [label]) => label.startsWith(start);
  const items = [first, ...others.filter(goesOn), ...others.filter((item) => !goesOn(item))].filter(isShown);
  return h(
    "div",
    { class: "buttons column" },
    items.map(([label, run, kind = ""]) => {
      const onclick = () => {
        then();
        run();
      };
      const isRest = label.startsWith(start);
      const look = isRest ? "rest" : `large ${kind}`;
      return h(
        "button",
        { type: "button", class: `button block ${look}`, "aria-label": isRest ? label : null, onclick },
        isRest ? `… ${label.slice(start.length)}` : label,
      );
    }),
  );
}

/** A sheet of large buttons; a tap on any of them closes it. @param {string} title @param {(Item | false)[]} entries */
export function menu(title, entries) {
  const opened = sheet(
    title,
    menuButtons(entries, () => opened.close()),
  );
  return opened;
}

/**
 * A form in a sheet. If `onSubmit` throws an Error, its text is shown; otherwise the sheet closes.
 * @param {string} title
 * @param {Child[]} children
 * @param {{submit: string, danger?: boolean, onSubmit: () => void | Promise<void>}} options
 */
export function formSheet(title, children, { submit, danger = false, onSubmit }) {
  const error = h("p", { class: "error", role: "alert" });
  const form = h(
    "form",
    { class: "stack", novalidate: true },
    children,
    error,
    h("button", { class: `button large block ${danger ? "danger" : "primary"}` }, submit),
  );
  const opened = sheet(title, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    error.textContent = "";
    try {
      await onSubmit();
      opened.close();
    } catch (problem) {
      error.textContent = messageOf(problem);
    }
  });
  return opened;
}

/**
 * A label with its input.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [hint]
 */
export function field(label, input, hint) {
  const id = input.id || `f-${label.toLowerCase().replaceAll(/\W+/g, "-")}`;
  input.id = id;
  return h("div", { class: "field" }, h("label", { for: id }, label), input, hint && h("p", { class: "hint" }, hint));
}
