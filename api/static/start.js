// Who plays, and by which rules: the form of a new table.

import { api, newKey } from "./api.js";
import { h, keep, kept } from "./ui.js";

const MOST_NAMES = 24;

const form = document.getElementById("table");
const seats = document.getElementById("seats");
const add = document.getElementById("add-seat");
const problem = document.getElementById("problem");
const least = Number(form.dataset.least);
const most = Number(form.dataset.most);
const known = kept("names") || [];

let key = newKey(); // One for each table that is asked for: a second tap on Start opens no second game.

function seat(name = "") {
  const input = h("input", {
    class: "seat-name",
    list: "known-names",
    autocomplete: "off",
    autocapitalize: "words",
    enterkeyhint: "next",
    maxlength: 80,
  });
  input.value = name;
  const remove = h("button", { type: "button", class: "button quiet square", onclick: () => leave(row) }, "×");
  const row = h("li", { class: "seat" }, h("span", { class: "seat-number", "aria-hidden": "true" }), input, remove);
  seats.append(row);
  number();
  return input;
}

function leave(row) {
  const next = row.nextElementSibling || row.previousElementSibling;
  row.remove();
  number();
  next?.querySelector("input").focus();
}

function number() {
  const rows = [...seats.children];
  rows.forEach((row, index) => {
    const [mark, input, remove] = row.children;
    mark.textContent = index + 1;
    input.setAttribute("aria-label", `Player ${index + 1}`);
    input.placeholder = `Player ${index + 1}`;
    remove.setAttribute("aria-label", `Remove player ${index + 1}`);
    remove.hidden = rows.length <= least;
  });
  add.hidden = rows.length >= most;
  whoBegins();
}

function names() {
  return [...seats.querySelectorAll("input")].map((input, index) => input.value.trim() || `Player ${index + 1}`);
}

function whoBegins() {
  const all = names();
  for (const list of form.querySelectorAll("select[data-seats]")) {
    for (const choice of list.options) {
      const index = Number(JSON.parse(choice.value).slice(1)) - 1;
      choice.textContent = all[index] || `Player ${index + 1}`;
      choice.hidden = choice.disabled = index >= all.length;
    }
    if (list.selectedOptions[0]?.disabled) list.selectedIndex = 0;
  }
}

function suggest() {
  const taken = new Set([...seats.querySelectorAll("input")].map((input) => input.value.trim()));
  const free = known.filter((name) => !taken.has(name));
  document.getElementById("known-names").replaceChildren(...free.map((name) => h("option", { value: name })));
}

function body() {
  const options = {};
  const others = document.getElementById("others")?.value.trim();
  if (others) Object.assign(options, JSON.parse(others));
  for (const control of form.querySelectorAll("[data-option]")) {
    if (control.type !== "radio" || control.checked) options[control.name] = JSON.parse(control.value);
  }
  const chance = form.elements.chance.value;
  const document_ = { ruleset: form.dataset.ruleset, seats: names().map((name) => ({ name })), options, chance };
  const seed = form.querySelector("#seed").value;
  if (chance === "seeded" && seed) document_.seed = seed;
  if (form.elements.mode) document_.mode = form.elements.mode.value;
  const tags = form.querySelector("#tags").value.split(",").map((tag) => tag.trim()).filter(Boolean);
  if (tags.length) document_.tags = tags;
  return document_;
}

function complain(error) {
  for (const wrong of form.querySelectorAll("[aria-invalid]")) wrong.removeAttribute("aria-invalid");
  problem.hidden = false;
  problem.textContent = error.message;
  for (const { pointer, message } of error.problem?.errors || []) {
    problem.textContent = message;
    const fields = [...form.querySelectorAll("[data-pointer]")].filter((one) => pointer.startsWith(one.dataset.pointer));
    const field = fields.sort((a, b) => b.dataset.pointer.length - a.dataset.pointer.length)[0];
    if (!field) continue;
    const index = /^\/seats\/(\d+)/.exec(pointer)?.[1];
    const control = index ? seats.children[index]?.querySelector("input") : field.querySelector("input, select, textarea");
    control?.closest("details")?.setAttribute("open", "");
    control?.setAttribute("aria-invalid", "true");
    control?.focus();
    return;
  }
}

async function start(event) {
  event.preventDefault();
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  problem.hidden = true;
  try {
    const game = await api("/v1/games", { body: body(), key });
    keep("names", [...new Set([...names(), ...known])].slice(0, MOST_NAMES));
    keep(`table.${form.dataset.ruleset}`, names());
    location.assign(game.status === "setup" ? `/games/${game.id}/setup` : `/games/${game.id}/record`);
  } catch (error) {
    if (error instanceof SyntaxError) error.message = `The other options are not JSON: ${error.message}`;
    complain(error);
    button.disabled = false;
  }
}

const before = kept(`table.${form.dataset.ruleset}`) || [];
for (let index = 0; index < Math.min(most, Math.max(least, before.length)); index += 1) seat(before[index]);
suggest();
add.addEventListener("click", () => seat().focus());
seats.addEventListener("input", () => (whoBegins(), suggest()));
seats.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const next = event.target.closest("li").nextElementSibling?.querySelector("input");
  if (next) next.focus();
  else if (seats.children.length < most && event.target.value.trim()) seat().focus();
});
form.addEventListener("change", () => {
  form.querySelector("#seed-field").hidden = form.elements.chance.value !== "seeded";
});
form.addEventListener("input", () => (key = newKey()));
form.addEventListener("submit", start);
