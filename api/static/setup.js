// A physical set-up, value by value, on this phone alone: what was tapped is kept in this browser, and posted in one
// request at the end. The service is asked once what is to be laid, and again only where that depends on what came up.

import { again } from "./again.js";
import { api, newKey, ProblemError, read, tried, Unreachable } from "./api.js";
import { lie, syllables } from "./grid.js";
import { install } from "./keeping.js";
import { Laying } from "./laying.js";
import { pasting } from "./pasting.js";
import { $, $$, catchDoubleClicks, h, keep, kept, messageOf, toast } from "./ui.js";
import { say } from "./words.js";

/** @typedef {import("./laying.js").Value} Value */

const { game, names: seated } = /** @type {Record<string, string>} */ ($("setup").dataset);
/** @type {string[]} */
const names = read(seated);
const store = `setup.${game}`;
const events = `/v1/games/${game}/events`;

const laying = new Laying(kept(store));
/** @type {number | null} */
let chosen = null; // a place that is being changed; null: the next one
let isReached = true;
let isFilling = false;
/** What is being posted, once somebody has said so. @type {{key: string, outcomes: Value[]} | null} */
let begun = null;

// The service

/**
 * Ask what there is to lay, given what lies; whoever asks meanwhile is answered by one more question.
 * @type {() => Promise<void>}
 */
const check = again(async () => {
  const asked = [...laying.given];
  try {
    await tried(events, { type: "set_up", outcomes: asked });
  } catch (error) {
    // It was about what lay there then.
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
}, attempted);

/** Post it, if somebody has said so, as often as it takes. @type {() => Promise<void>} */
const post = again(async () => {
  if (!begun) return false;
  const { key, outcomes } = begun;
  try {
    await api(events, { body: { type: "set_up", outcomes }, key });
  } catch (error) {
    if (isLost(error)) throw error;
    begun = null;
    // Another phone was faster: the table is set up.
    if (!(error instanceof ProblemError)) throw error;
    if (error.slug !== "illegal-action") {
      if (!take(error)) throw error;
      return false;
    }
  }
  keep(store, null);
  location.assign(`/games/${game}/record`);
  return false;
}, attempted);

/** Show what came of an attempt to ask it; whether to try again. @param {unknown} error */
function attempted(error) {
  const isPassing = isLost(error);
  isReached = !isPassing;
  if (isPassing) tell(say("The service does not answer. Keep playing: your taps are stored on this phone."));
  else if (error) tell(messageOf(error));
  else $("problem").hidden = true;
  show();
  return isPassing;
}

/** Whether the same may do another time. @param {unknown} error */
function isLost(error) {
  return error instanceof Unreachable || (error instanceof ProblemError && error.status >= 429);
}

/** What a refusal tells of what is to be laid; false where it tells nothing. @param {ProblemError} error */
function take({ slug, problem }) {
  // Another phone was faster: the table is set up.
  if (slug === "illegal-action") location.assign(`/games/${game}/record`);
  const { chance, places, piles } = problem;
  if (!chance || !places || !piles) return slug === "illegal-action";
  for (const outcome of piles.flatMap((pile) => pile.outcomes)) {
    // A seat is called by who sits there.
    const seat = /^p([1-8])$/.exec(String(outcome.value));
    if (seat) outcome.label = names[Number(seat[1]) - 1] ?? outcome.label;
  }
  const left = laying.told({ places, piles, impossible: slug === "impossible-outcome" ? chance.position : undefined });
  if (left) toast(say("Removed because it no longer fits: {what}.", { what: left }));
  save();
  return true;
}

// Taps

function save() {
  keep(store, laying.kept);
}

/** Do it, keep it and show it; the service is asked where it depends on that what comes next. @param {() => void} work */
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
  // What lies by itself makes the next tap mean something else: that is seen, not only heard.
  if (forced.length)
    toast(
      say("Filled in automatically: {what}. Next: {question}", {
        what: forced.join(", "),
        question: question() || say("a last look"),
      }),
    );
  const lain = [laying.label(index), ...forced].join(", ");
  announce(`${lain}. ${laying.isWhole ? say("All is set up.") : say("Next: {what}", { what: question() })}`);
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

/** Change what lies at a place. @param {number} index */
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

// What is seen

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

/** The places of a group, as they lie or one after the other. @param {number[]} indexes @param {HTMLElement} host */
function showGroup(indexes, host) {
  const spots = indexes.map((index) => laying.places[index].at);
  const laid = indexes.flatMap((index) => (laying.places[index].at ? [index] : []));
  if (laid.length > 0 && spots.every(Boolean)) {
    lie(
      host,
      laid.map((index) => [laying.places[index].at ?? [], placeButton(index)]),
    );
    return host;
  }
  host.className = "place-list";
  host.replaceChildren(...indexes.map(placeButton));
  return host;
}

/** The tiles that lie already, where they are turned only later: a map of what has been laid. */
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
    "aria-label": cells.length === 1 ? say("1 tile lies") : say("{count} tiles lie", { count: cells.length }),
  });
  lie(map, cells);
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
        !isEven && !isLaid && h("span", { class: "soft small number" }, `${Math.round(p * 100)} %`),
        isLaid && h("span", { class: "soft small" }, say("laid")),
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
  $("question").textContent = isAsking ? capital(laying.places[at()]?.label ?? say("Which goes where?")) : say("Ready");
  if (chosen !== null) $("question").append(h("span", { class: "chip sand" }, say("change")));
  $("done").hidden = isAsking;
  $("begin").textContent = begun
    ? isReached
      ? say("Beginning …")
      : say("Starts when the service is reachable")
    : say("Begin the game");
  $("begin", HTMLButtonElement).disabled = begun !== null;
  $("undo", HTMLButtonElement).disabled = laying.given.length === 0;
  $("undo", HTMLButtonElement).textContent = chosen === null ? say("Undo") : say("Cancel");
  $("fill", HTMLButtonElement).disabled = isWhole;
  $("paste-open", HTMLButtonElement).disabled = isWhole;
  $("paste-from").textContent = laying.places[laying.given.length]?.label ?? "";
  showChoices();
  if (!isAsking && !begun && !document.activeElement?.closest("#grid, .dock, dialog")) $("begin").focus();
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

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
