// Dialogs with a form, opened by a button.

import { $$, messageOf, openSheet } from "./ui.js";

/**
 * Open a dialog with a button; its form data goes to `onSubmit`.
 * @param {HTMLElement} button
 * @param {HTMLDialogElement} dialog
 * @param {() => string} subject  what the dialog is about
 * @param {(said: FormData) => Promise<void>} onSubmit
 */
export function formSheet(button, dialog, subject, onSubmit) {
  const [complaint] = $$("[role=alert]", dialog);
  const [about] = $$("[data-event]", dialog);
  /** @type {HTMLFormElement[]} */
  const [form] = $$("form", dialog);
  button.addEventListener("click", () => {
    complaint.hidden = true;
    about.textContent = subject();
    openSheet(dialog);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await onSubmit(new FormData(form));
      dialog.close();
      form.reset();
    } catch (error) {
      complaint.textContent = messageOf(error);
      complaint.hidden = false;
    }
  });
}
