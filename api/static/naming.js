// A player's page: merge two names of one player, split two players of one name, and undo both.

import { api } from "./api.js";
import { $, $$, messageOf } from "./ui.js";

const problem = $("naming-problem");

/** Do the work and open the page `to`, or show the error. @param {() => Promise<unknown>} work @param {string} to */
async function guard(work, to = location.href) {
  problem.hidden = true;
  try {
    await work();
    location.assign(to);
  } catch (error) {
    problem.textContent = messageOf(error);
    problem.hidden = false;
  }
}

/** @param {string} name */
const pageOf = (name) => `/players/${encodeURIComponent(name)}`;

/** Return the value of a form's field. @param {HTMLFormElement} form @param {string} name */
const written = (form, name) => String(new FormData(form).get(name)).trim();

/** @type {HTMLFormElement[]} */
const forms = $$("form.naming");
for (const form of forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { alias } = form.dataset;
    if (alias !== undefined) {
      const address = `/v1/aliases/${encodeURIComponent(written(form, "name"))}`;
      guard(() => api(address, { method: "PUT", body: { is: alias } }), pageOf(alias));
    } else {
      const person = written(form, "person");
      guard(() => api(written(form, "place"), { method: "PUT", body: { person } }), pageOf(person));
    }
  });
}
for (const button of $$("[data-take-back]")) {
  const { takeBack } = button.dataset;
  button.addEventListener("click", () => guard(() => api(takeBack ?? "", { method: "DELETE" })));
}
