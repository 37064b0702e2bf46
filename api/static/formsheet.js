// Dialogs with a form, opened by a button.

import { newKey } from "./api.js";
import { $$, messageOf, openSheet } from "./ui.js";

/**
 * Open a dialog with a button; its form data goes to `onSubmit`.
 * @param {HTMLElement} button
 * @param {HTMLDialogElement} dialog
 * @param {() => string} subject  what the dialog is about
 * @param {(said: FormData, key: string) => Promise<void>} onSubmit  with one key per form: a second tap repeats the request
 */
export function formSheet(button, dialog, subject, onSubmit) {
  const [complaint] = $$("[role=alert]", dialog);
  const [about] = $$("[data-event]", dialog);
  /** @type {HTMLFormElement[]} */
  const [form] = $$("form", dialog);
  let key = newKey();
  const renew = () => (key = newKey());
  form.addEventListener("input", renew);
  button.addEventListener("click", () => {
    renew();
    complaint.hidden = true;
    about.textContent = subject();
    openSheet(dialog);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await onSubmit(new FormData(form), key);
      dialog.close();
      form.reset();
    } catch (error) {
      complaint.textContent = messageOf(error);
      complaint.hidden = false;
    }
  });
}
