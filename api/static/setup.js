// A physical set-up, value by value. What was tapped is kept in this browser until it is posted; the service is asked
// with all of it at every tap, and says what can come next, so that nothing here knows any game.

import { api, newKey, ProblemError } from "./api.js";
import { h, keep, kept, openSheet, toast } from "./ui.js";

const MANY = 12; // choices, from which on there is a search field

const $ = (id) => document.getElementById(id);
const game = $("setup").dataset.game;
const names = JSON.parse($("setup").dataset.names);
const store = `setup.${game}`;

let { given, history, labels, spaces } = { given: [], history: [], labels: {}, spaces: {}, ...kept(store) };
let ask = null; // the chance point that comes next; null when all is given
let places = [];
let chosen = null; // a place that is being changed; null: the next one
let key = newKey();
let isBusy = false;

function save() {
  keep(store, { given, history, labels, spaces });
}

/** What the service says to these outcomes: `{ask, places}` where more is wanted, `{ask: null}` when all is there. */
async function judge(outcomes) {
  try {
    await api(`/v1/games/${game}/events`, { query: { dry_run: true }, body: { type: "set_up", outcomes } });
    return { ask: null, places };
  } catch (error) {
    // Another phone was faster: the table is set up.
    if (error.slug === "illegal-action") location.assign(`/games/${game}/record`);
    if (!(error instanceof ProblemError) || !error.problem.chance) throw error;
    for (const outcome of error.problem.chance.outcomes) {
      const { value, at } = outcome;
      // A seat is called by who sits there.
      if (/^p[1-8]$/.test(value)) outcome.label = names[value.slice(1) - 1] ?? outcome.label;
      labels[value] = outcome.label;
      if (at) spaces[value] = at;
    }
    return { ask: error.problem.chance, places: error.problem.places || [], isImpossible: error.slug === "impossible-outcome" };
  }
}

/** Take these outcomes, as many of them as can have come up; whether all of them could. */
async function take(outcomes, { isStep = true } = {}) {
  const before = given;
  given = outcomes;
  let answer = await judge(given);
  const isWhole = !answer.isImpossible;
  while (answer.isImpossible) {
    given = given.slice(0, answer.ask.position);
    answer = await judge(given);
  }
  if (isStep && String(before) !== String(given)) history.push(before);
  ({ ask, places } = answer);
  save();
  return isWhole;
}

async function busy(work) {
  if (isBusy) return;
  isBusy = true;
  $("setup").setAttribute("aria-busy", "true");
  const before = { given, history: [...history], ask, places };
  $("problem").hidden = true;
  try {
    await work();
  } catch (error) {
    ({ given, history, ask, places } = before);
    save();
    $("problem").hidden = false;
    $("problem").textContent = `${error.message} What you have tapped is kept.`;
  } finally {
    isBusy = false;
    $("setup").removeAttribute("aria-busy");
    show();
  }
}

function tap(value) {
  return busy(async () => {
    if (chosen === null) {
      await take([...given, value]);
    } else {
      // What lay there changes places with what is laid there now.
      const changed = [...given];
      const other = changed.indexOf(value);
      if (other > chosen && places[other].group === places[chosen].group) changed[other] = changed[chosen];
      changed[chosen] = value;
      const had = given.length;
      chosen = null;
      if (!(await take(changed))) toast(`What no longer fits was taken off: ${had - given.length} of ${had}.`);
    }
    const last = given[given.length - 1];
    say(`${labels[last] ?? last}. ${ask ? `Next: ${question()}` : "All is set up."}`);
  });
}

function undo() {
  return busy(async () => {
    if (chosen !== null) {
      chosen = null;
      await take(given, { isStep: false });
      return;
    }
    await take(history.pop() ?? given.slice(0, -1), { isStep: false });
    say(ask ? `Taken back. ${question()}` : "Taken back.");
  });
}

/** Change the place at `index`: the service lists what could lie there. */
function change(index) {
  return busy(async () => {
    const answer = await judge(given.slice(0, index));
    chosen = index;
    ask = answer.ask;
    say(`Change: ${question()}`);
  });
}

function randomOf(outcomes) {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  let point = (word / 2 ** 32) * outcomes.reduce((sum, { p }) => sum + p, 0);
  return (outcomes.find(({ p }) => (point -= p) < 0) || outcomes[outcomes.length - 1]).value;
}

function fill() {
  return busy(async () => {
    if (chosen !== null) await take(given, { isStep: false });
    chosen = null;
    const before = given;
    while (ask) {
      await take([...given, randomOf(ask.outcomes)], { isStep: false });
      progress();
    }
    if (before !== given) history.push(before);
    save();
    say("The rest came up by chance. All is set up.");
  });
}

const found = (word) =>
  ask?.outcomes.find(({ value, label }) => [value, label].some((one) => folded(one) === folded(word)));
const folded = (text) => String(text).normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function split(text) {
  // "Cliffs of Abandon" alone is one name, not three.
  if (found(text)) return [text.trim()];
  const by = /[\n\t,;|]/.test(text) ? /[\n\t,;|]+/ : /\s+/;
  return text.split(by).map((word) => word.replace(/^\s*\d+[.)]\s+/, "").trim()).filter(Boolean);
}

function paste(event) {
  event.preventDefault();
  const words = split($("list").value);
  $("paste-problem").textContent = "";
  return busy(async () => {
    if (chosen !== null) await take(given, { isStep: false });
    chosen = null;
    const before = given;
    let done = 0;
    for (const word of words) {
      const outcome = found(word);
      if (!outcome) {
        $("paste-problem").textContent = ask
          ? `“${word}” cannot be ${question()}. The ${done} before it are taken.`
          : `All is set up before “${word}”.`;
        break;
      }
      await take([...given, outcome.value], { isStep: false });
      done += 1;
      progress();
    }
    if (before !== given) history.push(before);
    save();
    $("list").value = words.slice(done).join("\n");
    if (done === words.length) {
      $("paste").close();
      toast(`${done} taken.`, { kind: "good" });
    }
  });
}

function begin() {
  return busy(async () => {
    try {
      await api(`/v1/games/${game}/events`, { body: { type: "set_up", outcomes: given }, key });
    } catch (error) {
      // Another phone was faster: the table is set up.
      if (!(error instanceof ProblemError) || error.slug !== "illegal-action") throw error;
    }
    keep(store, null);
    location.assign(`/games/${game}/record`);
  });
}

// What is seen

const say = (text) => ($("said").textContent = text);
const at = () => chosen ?? given.length;
const question = () => (places[at()] ? `${places[at()].group}: ${places[at()].label}` : ask?.name.replaceAll("_", " ") || "");

function progress() {
  const total = Math.max(places.length, given.length);
  $("progress").max = total || 1;
  $("progress").value = given.length;
  $("count").textContent = total ? `${given.length} of ${total}` : "";
}

function placeButton(index) {
  const place = places[index];
  const value = given[index];
  const isNow = index === at() && Boolean(ask);
  const label = value === undefined ? "" : String(labels[value] ?? value);
  return h(
    "button",
    {
      type: "button",
      class: `place${value === undefined ? "" : " filled"}${isNow ? " now" : ""}`,
      disabled: index > given.length,
      "aria-current": isNow ? "step" : false,
      "aria-label": `${place.label}: ${label || (isNow ? "next" : "empty")}`,
      "data-index": index,
      onclick: () => (index < given.length ? change(index) : $("question").focus()),
    },
    place.at ? h("span", {}, label) : [h("span", { class: "soft small" }, place.label), h("span", {}, label || "…")],
  );
}

function showPlaces() {
  const here = places[Math.min(at(), places.length - 1)];
  const focused = document.activeElement?.dataset?.index;
  $("group").textContent = here?.group ?? "";
  const indexes = places.map((_, index) => index).filter((index) => places[index].group === here.group);
  const isGrid = indexes.length > 0 && indexes.every((index) => places[index].at);
  const grid = $("grid");
  grid.className = isGrid ? "place-grid" : "place-list";
  grid.replaceChildren(...indexes.map(placeButton));
  if (isGrid) {
    const columns = Math.max(...indexes.map((index) => places[index].at[0]));
    grid.style.setProperty("--columns", columns);
    indexes.forEach((index, number) => {
      const [column, row] = places[index].at;
      grid.children[number].style.gridArea = `${row} / ${column}`;
    });
  }
  if (focused !== undefined) grid.querySelector(`[data-index="${focused}"]`)?.focus();
}

/** Where what can come up is a space: all of them as they lie, with what lies there already. */
function showSpaces(outcomes) {
  const laid = given.flatMap((value, index) =>
    spaces[value] && places[index].group === places[at()].group && index !== chosen
      ? [{ value, index, at: spaces[value] }]
      : [],
  );
  const free = outcomes.filter(({ value }) => !laid.some((one) => one.value === value));
  const cells = [
    ...free.map(({ value, label, at: spot }) => [
      spot,
      h("button", { type: "button", class: "place space", "data-value": value, "aria-label": label, onclick: () => tap(value) }),
    ]),
    ...laid.map(({ index, at: spot }) => [spot, h("span", { class: "place filled" }, places[index].label)]),
  ];
  for (const [[column, row], cell] of cells) cell.style.gridArea = `${row} / ${column}`;
  $("choices").className = "place-grid";
  $("choices").style.setProperty("--columns", Math.max(...cells.map(([[column]]) => column)));
  $("choices").replaceChildren(...cells.map(([, cell]) => cell));
}

function showChoices() {
  const outcomes = ask?.outcomes ?? [];
  if (outcomes.length && outcomes.every((one) => one.at)) {
    $("filter-field").hidden = true;
    showSpaces(outcomes);
    return;
  }
  $("choices").className = "setup-choices";
  const wanted = folded($("filter").value);
  const isEven = outcomes.every(({ p }) => p === outcomes[0].p);
  const used = chosen === null ? [] : given.slice(chosen + 1);
  const had = document.activeElement?.closest?.("#choices") !== null;
  $("filter-field").hidden = outcomes.length < MANY;
  $("choices").replaceChildren(
    ...outcomes
      .filter(({ label }) => folded(label).includes(wanted))
      .map(({ value, label, p }) =>
        h(
          "button",
          { type: "button", class: "button", "data-value": value, onclick: () => tap(value) },
          h("span", {}, label),
          !isEven && h("span", { class: "soft small number" }, `${Math.round(p * 100)} %`),
          used.includes(value) && isEven && h("span", { class: "soft small" }, "laid"),
        ),
      ),
  );
  if (had && ask) $("choices").querySelector("button")?.focus();
}

function show() {
  progress();
  if (places.length) showPlaces();
  $("question").textContent = ask ? capital(places[at()]?.label ?? question()) : "Ready";
  if (chosen !== null) $("question").append(h("span", { class: "chip sand" }, "change"));
  $("done").hidden = Boolean(ask) || given.length === 0;
  $("undo").disabled = given.length === 0;
  $("undo").textContent = chosen === null ? "Undo" : "Leave it";
  $("fill").disabled = !ask;
  $("paste-open").disabled = !ask;
  $("paste-from").textContent = places[given.length]?.label ?? "";
  showChoices();
  if (!ask && given.length) $("begin").focus();
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

$("undo").addEventListener("click", undo);
$("fill").addEventListener("click", fill);
$("begin").addEventListener("click", begin);
$("paste-open").addEventListener("click", () => openSheet($("paste")));
$("paste-form").addEventListener("submit", paste);
$("filter").addEventListener("input", showChoices);
$("filter").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const left = $("choices").querySelectorAll("button");
  if (left.length === 1) {
    left[0].click();
    $("filter").value = "";
  }
});

busy(() => take(given, { isStep: false }));
