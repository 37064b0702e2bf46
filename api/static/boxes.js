// The form of a new box and its players: no JSON is needed, but boxes can be exported and imported.

import { api, newKey } from "./api.js";
import { BoxForm } from "./boxform.js";
import { idOf } from "./boxrows.js";
import { complain, Seats } from "./seats.js";
import { $, $$, h, keep, recall } from "./ui.js";
import { say } from "./words.js";

/** @typedef {import("./boxrows.js").Document} Document */

const LATEST = "box"; // the box made last, in the browser's store
const MOST_PLAYERS = 8;
const TRIAL = "trial"; // tag of games to try a box

const form = $("box", HTMLFormElement);
const problem = $("problem");
/** @type {Record<string, Document>} */
const shipped = JSON.parse(String(form.dataset.shipped));
const title = $("title", HTMLInputElement);
const version = $("version", HTMLInputElement);
const [least, most] = [$("least", HTMLInputElement), $("most", HTMLInputElement)];
const choices = ["turns", "begins", "wins"].map((name) => $(name, HTMLSelectElement));
const copy = $("copy", HTMLSelectElement);
const rows = new BoxForm();
let key = newKey(); // One key per game: a second tap on Start does not open a second game.
/** The box from which the form was filled: the original, and the box that the form read back from its fields. */
let origin = { given: /** @type {Document} */ ({}), read: "" };

const points = { id: "points", title: say("Points") };
const scored = {
  players: [1, MOST_PLAYERS],
  meters: [points],
  score: ["points"],
  buttons: [{ id: "one_more", title: "+1", steps: [{ do: "set", meter: "points", by: 1 }] }],
};
/** What a new box begins with. @type {Record<string, () => Document>} */
const STARTS = {
  scores: () => shipped["just-scores"],
  cards: () => ({
    ...scored,
    title: say("Cards"),
    places: [
      { id: "hand", title: say("Hand"), kind: "hand" },
      { id: "deck", title: say("Deck"), kind: "pile" },
      { id: "discards", title: say("Discard pile") },
    ],
    things: ["deck52"],
  }),
  dice: () => ({ ...scored, title: say("Dice"), dice: ["5d6"] }),
  board: () => ({
    ...scored,
    title: say("A board"),
    places: [
      { id: "supply", title: say("Supply"), per_player: true },
      { id: "board", title: say("Board"), grid: { shape: "square", columns: 8, rows: 8 } },
    ],
    things: [{ name: say("Piece"), place: "supply", count: 8, per_player: true }],
  }),
  copy: () => (copy.value === LATEST ? recall(LATEST) : shipped[copy.value]),
};
/** The parts that are open at first. @type {Record<string, string[]>} */
const OPEN = { cards: ["things"], dice: ["dice"], board: ["middle", "things"] };

/** Fill the form with a box. @param {Document} box @param {string[]} [open] */
function fill(box, open = []) {
  rows.fill(box);
  title.value = box.title ?? "";
  version.value = box.version ?? "1";
  const [few, many] = box.players ?? [1, MOST_PLAYERS];
  [least.value, most.value] = [String(few), String(many)];
  for (const one of choices) one.value = box[one.id] ?? one.options[0].value;
  for (const fold of $$("details.part", form)) fold.toggleAttribute("open", open.includes(fold.id));
  seats.limit(few, many);
  origin = { given: box, read: JSON.stringify(read()) };
}

/** The box in the form; a changed copy with the same name is its next version. @returns {Document} */
function read() {
  const name = title.value.trim();
  const isRenamed = name !== origin.given.title;
  const box = {
    id: (!isRenamed && origin.given.id) || idOf(name, "box").replaceAll("_", "-"),
    title: name,
    version: version.value.trim() || "1",
    players: [least.valueAsNumber, most.valueAsNumber],
    ...rows.read(),
    ...Object.fromEntries(choices.map((one) => [one.id, one.value])),
  };
  const isChanged = Boolean(origin.given.id) && origin.read !== "" && JSON.stringify(box) !== origin.read;
  const next = Number(box.version) + 1;
  const isNext = isChanged && !isRenamed && box.version === (origin.given.version ?? "1") && Number.isInteger(next);
  return isNext ? { ...box, version: String(next) } : box;
}

/** Show an error at its field. @param {unknown} error */
function refuse(error) {
  for (const one of $$(".told-here", form)) one.remove();
  const control = complain(form, problem, seats, error);
  if (!control) return;
  control.after(h("p", { class: "error told-here" }, problem.textContent));
  problem.hidden = true;
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  problem.hidden = true;
  const { twin } = seats;
  if (twin) return twin.reportValidity();
  const isTrial = event.submitter?.hasAttribute("data-trial");
  const box = read();
  keep(LATEST, box);
  try {
    const players = seats.names.map((name) => ({ name }));
    const body = { ruleset: form.dataset.ruleset, seats: players, options: { box }, chance: "observed" };
    const game = await api("/v1/games", { body: isTrial ? { ...body, tags: [TRIAL] } : body, key });
    seats.keep();
    location.assign(`/games/${game.id}/${game.status === "setup" ? "setup" : "record"}`);
  } catch (error) {
    refuse(error);
  }
}

function download() {
  const box = read();
  const url = URL.createObjectURL(new Blob([JSON.stringify(box, null, 2)], { type: "application/json" }));
  h("a", { href: url, download: `${box.id}-${box.version}.json` }).click();
  URL.revokeObjectURL(url);
}

/** @param {string} value */
function choose(value) {
  for (const one of /** @type {HTMLInputElement[]} */ ($$("[name=from]", form))) one.checked = one.value === value;
  $("copied").hidden = value !== "copy";
}

async function importFile() {
  const [file] = $("import", HTMLInputElement).files ?? [];
  if (!file) return;
  try {
    const box = JSON.parse(await file.text());
    fill(box);
  } catch {
    refuse(new Error(say("This file does not describe a game box.")));
  }
}

/** Fill the form with the box that the address names. */
async function begin() {
  const asked = new URLSearchParams(location.search);
  const game = asked.get("game");
  const known = asked.get("copy") ?? "";
  if (recall(LATEST)) copy.append(h("option", { value: LATEST }, say("Your last box")));
  choose(game || known ? "copy" : "scores");
  if (known in shipped) copy.value = known;
  if (!game) return fill(STARTS[known in shipped ? "copy" : "scores"]());
  try {
    fill((await api(`/v1/games/${game}`)).options.box);
  } catch (error) {
    refuse(error);
  }
}

const seats = new Seats($("seats"), $("add-seat"), {
  ruleset: String(form.dataset.ruleset),
  least: 1,
  most: MOST_PLAYERS,
  onChange: () => {},
});
$("from").addEventListener("change", (event) => {
  const { value } = /** @type {HTMLInputElement} */ (event.target);
  choose(value);
  fill(STARTS[value](), OPEN[value]);
});
copy.addEventListener("change", () => fill(STARTS.copy()));
$("import").addEventListener("change", importFile);
$("export").addEventListener("click", download);
for (const one of [least, most])
  one.addEventListener("change", () => seats.limit(least.valueAsNumber || 1, most.valueAsNumber || MOST_PLAYERS));
form.addEventListener("input", () => (key = newKey()));
form.addEventListener("submit", start);
await begin();
