// Hold a form that a module handles until the module runs. Otherwise the browser would submit it, with a token in the
// URL.

let isReady = false;
addEventListener("DOMContentLoaded", () => (isReady = true));

addEventListener(
  "submit",
  (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (isReady || form.hasAttribute("action") || form.method === "dialog") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Modules run before this event, so the form's own listener is registered by then.
    addEventListener("DOMContentLoaded", () => form.requestSubmit(event.submitter), { once: true });
  },
  { capture: true },
);
