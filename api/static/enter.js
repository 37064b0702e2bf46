// Sign in: remove the token from the address bar at once, and exchange it for an HttpOnly cookie.

import { api } from "./api.js";
import { forgetTables } from "./keeping.js";
import { secureOrigin } from "./origin.js";
import { $, messageOf } from "./ui.js";

const SESSION = "/v1/session";
const form = $("enter", HTMLFormElement);
const field = $("token", HTMLInputElement);
const problem = $("problem");

/** Return the token in a link or in typed text. @param {string} text */
function tokenOf(text) {
  return text.slice(text.indexOf("#") + 1).trim();
}

/** @param {string} token */
async function enter(token) {
  problem.textContent = "";
  try {
    const { leads_to } = await api(SESSION, { body: { token } });
    await forgetTables();
    // If the browser trusts this service's certificate, continue with TLS; the cookie is valid for both.
    const origin = form.dataset.authority === undefined ? null : await secureOrigin();
    location.replace((origin ?? "") + leads_to);
  } catch (error) {
    problem.textContent = messageOf(error);
    field.focus();
  }
}

/** Sign in with the token of the link; ask first if a different user is signed in. @param {string} token */
function arrive(token) {
  if (!document.getElementById("who")) return enter(token);
  const other = $("other");
  const hide = () => (other.hidden = true);
  other.hidden = false;
  $("change").onclick = () => {
    hide();
    enter(token);
  };
  $("stay").onclick = hide;
  $("change").focus();
}

function look() {
  const token = tokenOf(location.hash);
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  arrive(token);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter(tokenOf(field.value));
});
document.getElementById("leave")?.addEventListener("click", async () => {
  try {
    await api(SESSION, { method: "DELETE" });
    await forgetTables();
    location.replace(location.pathname);
  } catch (error) {
    problem.textContent = messageOf(error);
  }
});
addEventListener("hashchange", look); // a second link was opened on this page
look();
