// The form of a new game: players and options.

import { api, newKey } from "./api.js";
import { contribute, follow, progress } from "./mixing.js";
import { isLocal } from "./origin.js";
import { complain, Seats } from "./seats.js";
import { $, $$ } from "./ui.js";
import { say } from "./words.js";

const form = $("table", HTMLFormElement);
const problem = $("problem");

/** The seed that the table mixes. @type {string | null} */
let mix = null;
let key = newKey(); // One key per game: a second tap on Start does not open a second game.

/** All options of each seat list. @type {Map<HTMLSelectElement, HTMLOptionElement[]>} */
const everySeat = new Map();

/** @param {string[]} all  the names of the players */
function whoBegins(all) {
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

/** Return the chosen value of a field; null if the form does not have it. @param {string} name */
function chosenValue(name) {
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
  const chance = chosenValue("chance");
  const mode = chosenValue("mode");
  /** @type {Record<string, unknown>} */
  const document_ = { ruleset: form.dataset.ruleset, seats: seats.names.map((name) => ({ name })), options, chance };
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
    complain(form, problem, seats, error);
  }
  begin.disabled = false;
}

/** Show the fields for a seed if Driftlog draws. */
function offerSeed() {
  const isSeeded = chosenValue("chance") === "seeded";
  $("mix").hidden = !isSeeded;
  $("seed-field").hidden = !isSeeded || mix !== null;
  // A game that Driftlog deals has no table yet.
  for (const one of $$("#late, #late-hint")) one.hidden = isSeeded;
  $("mix-offer").hidden = mix !== null;
  $("mix-asked").hidden = mix === null;
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter ?? $$("[type=submit]", form)[0]);
  const entry = button.id === "late" ? "setup?mid-game" : "setup";
  problem.hidden = true;
  const twice = seats.twin;
  if (twice) return twice.reportValidity();
  button.disabled = true;
  try {
    const game = await api("/v1/games", { body: body(), key });
    seats.keep();
    location.assign(game.status === "setup" ? `/games/${game.id}/${entry}` : `/games/${game.id}/record`);
  } catch (error) {
    if (error instanceof SyntaxError)
      error.message = say("The other options are not valid JSON: {why}", { why: error.message });
    complain(form, problem, seats, error);
    button.disabled = false;
  }
}

const seats = new Seats($("seats"), $("add-seat"), {
  ruleset: String(form.dataset.ruleset),
  least: Number(form.dataset.least),
  most: Number(form.dataset.most),
  onChange: whoBegins,
});
form.addEventListener("change", offerSeed);
$("mix-begin").addEventListener("click", mixSeed);
form.addEventListener("input", () => (key = newKey()));
form.addEventListener("submit", start);
