// The form of a new game: players and options.

import { api, newKey, ProblemError } from "./api.js";
import { contribute, follow, progress } from "./mixing.js";
import { isLocal } from "./origin.js";
import { $, $$, around, h, keep, kept, messageOf } from "./ui.js";
import { say } from "./words.js";

const MOST_NAMES = 24;
const LATELY = 100; // past tables to suggest players from

const form = $("table", HTMLFormElement);
const seats = $("seats");
const add = $("add-seat");
const problem = $("problem");
const least = Number(form.dataset.least);
const most = Number(form.dataset.most);
/** @type {string[]} */
const known = kept("names") || [];

/** The seed that the table mixes. @type {string | null} */
let mix = null;
let key = newKey(); // One key per game: a second tap on Start does not open a second game.

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

/** @param {Element} row */
function leave(row) {
  const next = row.nextElementSibling || row.previousElementSibling;
  row.remove();
  number();
  next?.querySelector("input")?.focus();
}

function number() {
  const rows = $$("li", seats);
  rows.forEach((row, index) => {
    /** @type {HTMLInputElement[]} */
    const [input] = $$("input", row);
    const [place] = $$("span", row);
    const [remove] = $$("button", row);
    place.textContent = String(index + 1);
    input.setAttribute("aria-label", say("Player {number}", { number: index + 1 }));
    input.placeholder = say("Player {number}", { number: index + 1 });
    remove.setAttribute("aria-label", say("Remove player {number}", { number: index + 1 }));
    remove.hidden = rows.length <= least;
  });
  add.hidden = rows.length >= most;
  whoBegins();
}

/** The typed names, without empty rows. */
function typedNames() {
  return [...seats.querySelectorAll("input")].map((input) => input.value.trim()).filter(Boolean);
}

/** The players: once a name is typed, empty rows count only up to the fewest players. */
function names() {
  const typed = typedNames();
  const count = typed.length ? Math.max(least, typed.length) : seats.children.length;
  return Array.from({ length: count }, (_, at) => typed[at] ?? say("Player {number}", { number: at + 1 }));
}

/** All options of each seat list. @type {Map<HTMLSelectElement, HTMLOptionElement[]>} */
const everySeat = new Map();

function whoBegins() {
  const all = names();
  /** @type {HTMLSelectElement[]} */
  const lists = $$("select[data-seats]", form);
  for (const list of lists) {
    const every = everySeat.get(list) ?? [...list.options];
    everySeat.set(list, every);
    /** @param {HTMLOptionElement} choice */
    const index = (choice) => Number(JSON.parse(choice.value).slice(1)) - 1;
    for (const choice of every)
      choice.textContent = all[index(choice)] || say("Player {number}", { number: index(choice) + 1 });
    // Phones show hidden options, so remove the options of seats that do not exist.
    const shown = every.filter((choice) => index(choice) < all.length);
    // Replace all at once: removing them one by one would select some for a moment, and change the selection.
    const first = shown.find((choice) => choice.value === list.value) ?? shown[0];
    list.replaceChildren(...shown);
    list.value = first.value;
  }
}

function suggest() {
  const taken = new Set([...seats.querySelectorAll("input")].map((input) => input.value.trim()));
  const free = known.filter((name) => !taken.has(name));
  $("known-names").replaceChildren(...free.map((name) => h("option", { value: name })));
}

/** Return the chosen value of a field; null if the form does not have it. @param {string} name */
function chosen(name) {
  const value = new FormData(form).get(name);
  return value === null ? null : String(value);
}

function body() {
  /** @type {Record<string, unknown>} */
  const options = {};
  const others = /** @type {HTMLTextAreaElement | null} */ (form.querySelector("#others"))?.value.trim();
  if (others) Object.assign(options, JSON.parse(others));
  /** @type {HTMLInputElement[]} */
  const controls = $$("[data-option]", form);
  for (const control of controls) {
    if (control.type === "text" || control.type === "number") {
      const typed = control.value.trim();
      // An empty field uses its default.
      if (typed) options[control.name] = control.type === "number" ? Number(typed) : typed;
    } else if (control.type !== "radio" || control.checked) options[control.name] = JSON.parse(control.value);
  }
  const chance = chosen("chance");
  const mode = chosen("mode");
  /** @type {Record<string, unknown>} */
  const document_ = { ruleset: form.dataset.ruleset, seats: names().map((name) => ({ name })), options, chance };
  const seed = $("seed", HTMLInputElement).value;
  if (chance === "seeded" && mix) document_.seed_mix = mix;
  else if (chance === "seeded" && seed) document_.seed = seed;
  if (mode !== null) document_.mode = mode;
  const tags = $("tags", HTMLInputElement)
    .value.split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
  if (tags.length) document_.tags = tags;
  return document_;
}

/** Return the row of a player: empty rows are not sent. @param {number} index */
function rowOf(index) {
  const typed = $$("li", seats).filter((row) => row.querySelector("input")?.value.trim());
  return typed[index] ?? seats.children[index];
}

/** @param {unknown} error */
function complain(error) {
  for (const wrong of form.querySelectorAll("[aria-invalid]")) wrong.removeAttribute("aria-invalid");
  problem.hidden = false;
  problem.textContent = messageOf(error);
  for (const { pointer, message } of (error instanceof ProblemError && error.problem.errors) || []) {
    problem.textContent = message;
    /** @param {HTMLElement} one */
    const pointerOf = (one) => one.dataset.pointer ?? "";
    const fields = $$("[data-pointer]", form).filter((one) => pointer.startsWith(pointerOf(one)));
    const field = fields.sort((a, b) => pointerOf(b).length - pointerOf(a).length)[0];
    if (!field) continue;
    const index = /^\/seats\/(\d+)/.exec(pointer)?.[1];
    const host = index ? rowOf(Number(index)) : field;
    const [control] = host ? $$("input, select, textarea", host) : [];
    control?.closest("details")?.setAttribute("open", "");
    control?.setAttribute("aria-invalid", "true");
    control?.focus();
    return;
  }
}

/** Begin to mix a seed, show its address to the other phones, and add this phone's number. */
async function mixSeed() {
  const begin = $("mix-begin", HTMLButtonElement);
  begin.disabled = true;
  problem.hidden = true;
  try {
    const shares = $("mix-phones", HTMLInputElement).valueAsNumber;
    const { id } = /** @type {Seed} */ (await api("/v1/seeds", { body: { shares } }));
    await contribute(id);
    mix = id;
    const link = $("mix-link", HTMLAnchorElement);
    link.href = `/seeds/${id}`;
    link.textContent = `${form.dataset.public}/seeds/${id}`;
    $("mix-local").hidden = !isLocal(link.textContent);
    $("mix-code", HTMLImageElement).src = `/seeds/${id}/qr.svg`;
    offerSeed();
    await follow(id, (seed) => ($("mix-progress").textContent = progress(seed)));
  } catch (error) {
    mix = null;
    offerSeed();
    complain(error);
  }
  begin.disabled = false;
}

/** Show the fields for a seed if Driftlog draws. */
function offerSeed() {
  const isSeeded = chosen("chance") === "seeded";
  $("mix").hidden = !isSeeded;
  $("seed-field").hidden = !isSeeded || mix !== null;
  $("mix-offer").hidden = mix !== null;
  $("mix-asked").hidden = mix === null;
}

/** Mark the second field with the same name, and return it; null if all names differ. */
function twin() {
  const inputs = [...seats.querySelectorAll("input")];
  const keyOf = (/** @type {HTMLInputElement} */ input) => input.value.trim().toLocaleLowerCase();
  for (const input of inputs) input.setCustomValidity("");
  const again = inputs.find(
    (input, at) => keyOf(input) && inputs.slice(0, at).some((one) => keyOf(one) === keyOf(input)),
  );
  again?.setCustomValidity(
    say("Two players are called {name}. Add a letter to one of them.", { name: again.value.trim() }),
  );
  return again ?? null;
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  /** @type {HTMLButtonElement[]} */
  const [button] = $$("[type=submit]", form);
  problem.hidden = true;
  const twice = twin();
  if (twice) return twice.reportValidity();
  button.disabled = true;
  try {
    const game = await api("/v1/games", { body: body(), key });
    keep("names", [...new Set([...typedNames(), ...known])].slice(0, MOST_NAMES));
    keep(`table.${form.dataset.ruleset}`, typedNames());
    location.assign(game.status === "setup" ? `/games/${game.id}/setup` : `/games/${game.id}/record`);
  } catch (error) {
    if (error instanceof SyntaxError)
      error.message = say("The other options are not valid JSON: {why}", { why: error.message });
    complain(error);
    button.disabled = false;
  }
}

/** Show a button that fills in the players of the last table. @param {string[]} last */
function offer(last) {
  const sit = () => {
    seats.replaceChildren();
    for (let index = 0; index < Math.min(most, Math.max(least, last.length)); index += 1) seat(last[index]);
    button.remove();
    suggest();
    add.focus();
  };
  const button = h(
    "button",
    { type: "button", class: "button", onclick: sit },
    say("Same players as last time: {names}", { names: last.join(", ") }),
  );
  add.after(" ", button);
}

/** Fetch the latest players, from any phone. */
async function learn() {
  /** @param {object} query @returns {Promise<string[][]>} */
  const tables = async (query) => {
    const { games } = await api("/v1/games", { query });
    return games.map((/** @type {Game} */ { seats }) => seats.map(({ name }) => name));
  };
  try {
    const [[last = []], all] = await Promise.all([
      tables({ ruleset: form.dataset.ruleset, limit: 1 }),
      tables({ limit: LATELY }),
    ]);
    known.push(...new Set(all.flat().filter((name) => !known.includes(name))));
    if (last.length && String(last) !== String(before)) offer(last);
    suggest();
  } catch {
    // If this fails, the user types the names.
  }
}

/** @type {string[]} */
const before = kept(`table.${form.dataset.ruleset}`) || [];
for (let index = 0; index < Math.min(most, Math.max(least, before.length)); index += 1) seat(before[index]);
suggest();
learn();
add.addEventListener("click", () => seat().focus());
seats.addEventListener("input", (event) => {
  if (event.target instanceof HTMLInputElement) event.target.setCustomValidity("");
  whoBegins();
  suggest();
});
seats.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const row = around(event, "li");
  const next = row?.nextElementSibling?.querySelector("input");
  if (next) next.focus();
  else if (seats.children.length < most && row?.querySelector("input")?.value.trim()) seat().focus();
});
form.addEventListener("change", offerSeed);
$("mix-begin").addEventListener("click", mixSeed);
form.addEventListener("input", () => (key = newKey()));
form.addEventListener("submit", start);
