// Coming in: the token leaves the address bar at once, and becomes a cookie that no script reads.

import { api } from "./api.js";
import { forgetTables } from "./keeping.js";
import { $, messageOf } from "./ui.js";

const SESSION = "/v1/session";
const form = $("enter", HTMLFormElement);
const field = $("token", HTMLInputElement);
const problem = $("problem");

/** The token of a link, or of what somebody typed. @param {string} text */
function tokenOf(text) {
  return text.slice(text.indexOf("#") + 1).trim();
}

/** @param {string} token */
async function enter(token) {
  problem.textContent = "";
  try {
    const { leads_to } = await api(SESSION, { body: { token } });
    await forgetTables();
    location.replace(leads_to);
  } catch (error) {
    problem.textContent = messageOf(error);
    field.focus();
  }
}

/** Come in by the link, or ask first whoever is here as somebody else. @param {string} token */
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
addEventListener("hashchange", look); // a second link, opened on this page
look();
