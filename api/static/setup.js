// Enter the setup of a physical table value by value. Taps are stored in this browser and posted in one request at
// the end. The service lists the places once, and again only if they depend on a result.

import { again } from "./again.js";
import { api, dryRun, newKey, ProblemError, read, Unreachable } from "./api.js";
import { placeInGrid, syllables } from "./grid.js";
import { install } from "./keeping.js";
import { Laying } from "./laying.js";
import { pasting } from "./pasting.js";
import { $, $$, catchDoubleClicks, h, keep, messageOf, recall, toast } from "./ui.js";
import { capitalize, say } from "./words.js";

/** @typedef {import("./laying.js").Value} Value */

const { game, names: seated } = /** @type {Record<string, string>} */ ($("setup").dataset);
/** @type {string[]} */
const names = read(seated);
const store = `setup.${game}`;
const events = `/v1/games/${game}/events`;

const laying = new Laying(recall(store));
/** @type {number | null} */
let chosen = null; // the place being changed; null: the next one
let isReached = true;
let isFilling = false;
/** The request being posted, after the user has confirmed it. @type {{key: string, outcomes: Value[]} | null} */
let begun = null;

// The service

/**
 * Ask the service for the places, given the values so far; a call meanwhile causes one more request.
 * @type {() => Promise<void>}
 */
const check = again(async () => {
  const asked = [...laying.given];
  try {
    await dryRun(events, { type: "set_up", outcomes: asked });
    if (asked.length === 0) {
      // The setup has no questions.
      begun = { key: newKey(), outcomes: [] };
      post();
      return false;
    }
  } catch (error) {
    // The values have changed since this request, so ignore the response.
    if (String(asked) !== String(laying.given)) return true;
    if (!(error instanceof ProblemError) || !take(error)) throw error;
    if (error.slug === "impossible-outcome") return true;
  }
  if (isFilling && !laying.isWhole) {
    laying.fill(chance);
    return true;
  }
  isFilling = false;
  return false;
}, onAttempt);

/** Post the setup after the user has confirmed it, and retry until it succeeds. @type {() => Promise<void>} */
const post = again(async () => {
  if (!begun) return false;
  const { key, outcomes } = begun;
  try {
    await api(events, { body: { type: "set_up", outcomes }, key });
  } catch (error) {
    if (isLost(error)) throw error;
    begun = null;
    // Another phone has completed the setup.
    if (!(error instanceof ProblemError)) throw error;
    if (error.slug !== "illegal-action") {
      if (!take(error)) throw error;
      return false;
    }
  }
  keep(store, null);
  location.assign(`/games/${game}/record`);
  return false;
}, onAttempt);

/** Show the result of an attempt; return true to retry. @param {unknown} error */
function onAttempt(error) {
  const isPassing = isLost(error);
  isReached = !isPassing;
  if (isPassing) tell(say("The service does not answer. Keep playing: your taps are stored on this phone."));
  else if (error) tell(messageOf(error));
  else $("problem").hidden = true;
  show();
  return isPassing;
}

/** Return true if a retry may succeed. @param {unknown} error */
function isLost(error) {
  return error instanceof Unreachable || (error instanceof ProblemError && error.status >= 429);
}

/** Apply the places in a refusal; return false if it has none. @param {ProblemError} error */
function take({ slug, problem }) {
  // Another phone has completed the setup.
  if (slug === "illegal-action") location.assign(`/games/${game}/record`);
  const { chance, places, piles } = problem;
  if (!chance || !places || !piles) return slug === "illegal-action";
  for (const outcome of piles.flatMap((pile) => pile.outcomes)) {
    // Show a player's name instead of the seat.
    const seat = /^p([1-8])$/.exec(String(outcome.value));
    if (seat) outcome.label = names[Number(seat[1]) - 1] ?? outcome.label;
  }
  const left = laying.receive({
    places,
    piles,
    impossible: slug === "impossible-outcome" ? chance.position : undefined,
  });
  if (left) toast(say("Removed because it no longer fits: {what}.", { what: left }));
  save();
  return true;
}

// Taps

function save() {
  keep(store, laying.snapshot);
}

/** Apply, store and show a change; ask the service if the next place depends on it. @param {() => void} work */
function step(work) {
  const from = laying.given.length;
  work();
  const to = laying.given.length;
  const [first, last] = chosen === null ? [Math.min(from, to), Math.max(from, to)] : [chosen, chosen + 1];
  const isOpen = Array.from({ length: last - first }, (_, number) => first + number).some((one) => laying.isOpen(one));
  chosen = null;
  begun = null;
  isFilling = false;
  save();
  show();
  if (isOpen) check();
}

/** @param {Value} value */
function tap(value) {
  const index = at();
  step(() => (chosen === null ? laying.lay(value) : laying.put(chosen, value)));
  const forced = laying.forced.map((place) => laying.label(place));
  // An automatic value changes the place of the next tap, so show it instead of only announcing it.
  if (forced.length)
    toast(
      say("Filled in automatically: {what}. Next: {question}", {
        what: forced.join(", "),
        question: question() || say("a final check"),
      }),
    );
  const lain = [laying.label(index), ...forced].join(", ");
  announce(`${lain}. ${laying.isWhole ? say("Setup complete.") : say("Next: {what}", { what: question() })}`);
}

function undo() {
  if (chosen !== null) {
    chosen = null;
    show();
    return;
  }
  step(() => laying.undo());
  announce(say("Undone. {question}", { question: question() }));
}

/** Change the value at a place. @param {number} index */
function change(index) {
  chosen = index;
  show();
  $("question").focus();
  announce(say("Change: {question}", { question: question() }));
}

function chance() {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  return word / 2 ** 32;
}

function fill() {
  chosen = null;
  step(() => laying.fill(chance));
  isFilling = true;
  announce(say("The rest was filled in at random."));
  check();
}

function begin() {
  begun = { key: newKey(), outcomes: [...laying.given] };
  show();
  post();
}

// Display

/** @param {string} text */
const announce = (text) => ($("said").textContent = text);
/** @param {string} text */
function tell(text) {
  $("problem").hidden = false;
  $("problem").textContent = text;
}
const at = () => chosen ?? laying.given.length;
const question = () => {
  const place = laying.places[at()];
  return place ? `${place.group}: ${place.label}` : "";
};

function progress() {
  const total = laying.places.length;
  const bar = $("progress", HTMLProgressElement);
  bar.max = total || 1;
  bar.value = laying.given.length;
  $("count").textContent = total ? say("{count} of {total}", { count: laying.given.length, total }) : "";
}

/** @param {number} index */
function placeButton(index) {
  const place = laying.places[index];
  const isFilled = index < laying.given.length;
  const isNow = index === at();
  const label = isFilled ? laying.label(index) : "";
  return h(
    "button",
    {
      type: "button",
      class: `place${isFilled ? " filled" : ""}${isNow ? " now" : ""}`,
      disabled: index > laying.given.length,
      "aria-current": isNow ? "step" : false,
      "aria-label": `${place.label}: ${label || (isNow ? say("next") : say("empty"))}`,
      "data-index": index,
      onclick: () => (isFilled ? change(index) : $("question").focus()),
    },
    place.at
      ? h("span", {}, syllables(label))
      : [h("span", { class: "soft small" }, place.label), h("span", {}, label || "…")],
  );
}

/** Show the places of a group, by position or in a row. @param {number[]} indexes @param {HTMLElement} host */
function showGroup(indexes, host) {
  const spots = indexes.map((index) => laying.places[index].at);
  const laid = indexes.flatMap((index) => (laying.places[index].at ? [index] : []));
  if (laid.length > 0 && spots.every(Boolean)) {
    placeInGrid(
      host,
      laid.map((index) => [laying.places[index].at ?? [], placeButton(index)]),
    );
    return host;
  }
  host.className = "place-list";
  host.replaceChildren(...indexes.map(placeButton));
  return host;
}

/** Show a map of the placed tiles, for games that turn them over later. */
function mapAhead() {
  const here = laying.places[at()]?.group;
  const ahead = laying.places.filter((place, index) => index > at() && place.group !== here && place.at);
  const first = ahead[0]?.group;
  const cells = ahead
    .filter(({ group }) => group === first)
    .map(
      (place) =>
        /** @type {[number[], HTMLElement]} */ ([
          place.at,
          h("span", { class: "place filled" }, syllables(place.label)),
        ]),
    );
  if (cells.length === 0) return null;
  const map = h("div", {
    role: "img",
    "aria-label": cells.length === 1 ? say("1 tile placed") : say("{count} tiles placed", { count: cells.length }),
  });
  placeInGrid(map, cells);
  return map;
}

function showPlaces() {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.index : undefined;
  const isAll = laying.isWhole && chosen === null;
  const here = laying.places[at()]?.group;
  /** @type {Map<string, number[]>} */
  const groups = new Map();
  for (const [index, { group }] of laying.places.entries()) {
    if (isAll || group === here) groups.set(group, [...(groups.get(group) ?? []), index]);
  }
  $("group").textContent = isAll ? say("The whole table") : (here ?? "");
  const shown = [...groups].map(([group, indexes]) => {
    const places = showGroup(indexes, h("div"));
    return isAll ? h("section", {}, h("h3", {}, group), places) : places;
  });
  $("grid").replaceChildren(...[isAll ? null : mapAhead(), ...shown].filter((one) => one !== null));
  if (focused !== undefined) $$(`[data-index="${focused}"]`, $("grid"))[0]?.focus();
}

function showChoices() {
  const choices = laying.isWhole && chosen === null ? [] : laying.choices(at());
  const isEven = choices.every(({ p }) => p === choices[0].p || p === 0);
  const had = document.activeElement?.closest?.("#choices") !== null;
  $("choices").replaceChildren(
    ...choices.map(({ value, label, p, isLaid }) =>
      h(
        "button",
        { type: "button", class: "button", "data-value": value, onclick: () => tap(value) },
        h("span", {}, label),
        !isEven &&
          !isLaid &&
          h("span", { class: "soft small number" }, say("{percent} %", { percent: Math.round(p * 100) })),
        isLaid && h("span", { class: "soft small" }, say("placed")),
      ),
    ),
  );
  if (had && choices.length) $("choices").querySelector("button")?.focus();
}

function show() {
  const { isWhole } = laying;
  const isAsking = chosen !== null || !isWhole;
  progress();
  if (laying.places.length) showPlaces();
  $("question").textContent = isAsking
    ? capitalize(laying.places[at()]?.label ?? say("Place the pieces"))
    : say("Ready");
  if (chosen !== null) $("question").append(h("span", { class: "chip sand" }, say("change")));
  $("done").hidden = isAsking;
  $("begin").textContent = begun
    ? isReached
      ? say("Starting…")
      : say("Starts when the service is reachable")
    : say("Start game");
  $("begin", HTMLButtonElement).disabled = begun !== null;
  $("undo", HTMLButtonElement).disabled = laying.given.length === 0;
  $("undo", HTMLButtonElement).textContent = chosen === null ? say("Undo") : say("Cancel");
  $("fill", HTMLButtonElement).disabled = isWhole;
  $("paste-open", HTMLButtonElement).disabled = isWhole;
  $("paste-from").textContent = laying.places[laying.given.length]?.label ?? "";
  showChoices();
  if (!isAsking && !begun && !document.activeElement?.closest("#grid, .dock, dialog")) $("begin").focus();
}

$("undo", HTMLButtonElement).addEventListener("click", undo);
$("fill", HTMLButtonElement).addEventListener("click", fill);
$("begin").addEventListener("click", begin);
pasting(laying, question, (value) => {
  chosen = null;
  step(() => laying.lay(value));
});
catchDoubleClicks($("choices"));
show();
check();
install();
