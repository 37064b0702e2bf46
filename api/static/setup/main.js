// Enter the setup of a physical table in pictures. Taps are stored in this browser and posted in one request at the
// end. The ruleset declares the tiles, marks and hands; see `engine/kit/setup_page.py`.

import { again } from "../again.js";
import { api, newKey, ProblemError, read, Unreachable } from "../api.js";
import { nearest, WAYS } from "../arrows.js";
import { install } from "../keeping.js";
import { $, $$, around, catchDoubleClicks, h, keep, messageOf, putSvg, recall } from "../ui.js";
import { say } from "../words.js";
import { drawBoard, picture } from "./board.js";
import { counts, dealChoices, isOfRoles, marks, palette, picks, ranks, seats, shores, states } from "./elements.js";
import { beginning } from "./late.js";
import { showProgress } from "./progress.js";
import { Table } from "./table.js";

/** @typedef {import("./table.js").Part} Part */
/** @typedef {import("./table.js").Value} Value */

const {
  game,
  names: seated,
  page: declared,
  plan,
  pictures,
} = /** @type {Record<string, string>} */ ($("setup").dataset);
/** @type {string[]} */
const names = read(seated);
/** @type {import("./table.js").Page} */
const page = read(declared);
/** True for a game that is already under way. */
const isLate = page.steps.some(({ parts }) => parts.some(({ report }) => report));
const store = `${isLate ? "late" : "table"}.${game}`;
const table = new Table(read(plan), page, recall(store));
const atlas = putSvg(h("div"), pictures);

/** The screen that the user went back to; null: the first incomplete one. @type {number | null} */
let chosenScreen = null;
/** The board place being changed. @type {number | null} */
let changing = null;
/** The empty place chosen as the next one. @type {number | null} */
let chosenPlace = null;
/** The chosen player. @type {number | null} */
let chosenSeat = null;
let isFilled = false;
let shownScreen = -1;
/** The key of the request being posted, the same for each retry. @type {string | null} */
let begun = null;
let isReached = true;

// The question

const screen = () => chosenScreen ?? table.screen ?? page.steps.length - 1;
/** @param {Part["kind"]} kind */
const partsOf = (kind) => table.parts.filter((part) => part.screen === screen() && part.kind === kind);
/** The names of those to whom the screen deals something: the players, or things. */
const owners = () => {
  const part = [...partsOf("deal"), ...partsOf("stand")].find((one) => one.owners.length);
  return part ? part.owners.map(({ label }) => label) : names;
};
const laid = table.parts.find(({ kind }) => kind === "lay");
const isLaying = () => laid?.screen === screen();

/** The seat and setup place of the question; -1 if nothing is missing. */
function currentQuestion() {
  const parts = [...partsOf("deal"), ...partsOf("stand")];
  const empty = (/** @type {number} */ seat) =>
    parts.flatMap((part) => table.seatPlaces(part, seat)).find((index) => table.given[index] === null) ?? -1;
  const seat = chosenSeat ?? [...owners().keys()].find((one) => empty(one) >= 0) ?? null;
  return { seat, place: seat === null ? -1 : empty(seat) };
}

/** The board place to fill next. @param {Part} part */
function nextPlace(part) {
  return chosenPlace !== null && table.given[part.at[chosenPlace]] === null ? chosenPlace : table.next(part);
}

/** The instruction to show. @returns {Child[]} */
function question() {
  if (changing !== null && laid) {
    const what = table.label(laid, table.given[laid.at[changing]]);
    return bold(say("This place has {what}. Tap the correct tile."), what);
  }
  if (begun) return [isReached ? say("Starting…") : say("The game starts when the service is reachable.")];
  if (chosenSeat !== null && currentQuestion().place < 0) {
    return bold(say("Tap {what} again to undo the deal."), owners()[chosenSeat]);
  }
  if (table.screen === null && chosenScreen === null) {
    return [isFilled ? `${page.ready} ${say("Set up the table as shown.")}` : page.ready];
  }
  const open = table.parts.filter((part) => part.screen === screen() && table.next(part) >= 0);
  const missing = open.find((part) => table.isMissing(part)) ?? open[0];
  if (!missing) return [say("Tap a tile to change it.")];
  const place =
    missing.kind === "lay"
      ? nextPlace(missing)
      : ["deal", "stand"].includes(missing.kind)
        ? (table.partOf(currentQuestion().place)?.[1] ?? 0)
        : missing.kind === "find"
          ? table.found(missing)
          : table.next(missing);
  const [part] = (["deal", "stand"].includes(missing.kind) && table.partOf(currentQuestion().place)) || [missing];
  return [isFilled && `${say("Set up the table as shown.")} `, ...bold(part.ask, part.names[place])];
}

/** @param {string} sentence  usually with `{what}` @param {string} what */
function bold(sentence, what) {
  const [before, after] = sentence.split("{what}");
  if (after === undefined) return [before];
  return [before, h("b", {}, what), after];
}

/** The effect of the last tap, such as "5: Temple of the Moon". */
function latest() {
  const found = table.latest;
  // The board shows random results.
  if (found.length > 2) return "";
  return found
    .map((index) => {
      const [part, place] = table.partOf(index) ?? [];
      if (!part || place === undefined || part.kind === "walk") return "";
      if (part.kind === "find") return table.places[index].label;
      if (part.kind === "pick") return table.label(part, table.given[index]);
      const where = ["deal", "stand"].includes(part.kind)
        ? (part.owners[place]?.label ?? names[Math.floor(place / part.each)])
        : part.slots[place] || (["state", "list"].includes(part.kind) ? part.names[place] : place + 1);
      return `${where}: ${table.label(part, table.given[index])}`;
    })
    .join(", ");
}

// Taps

/** @param {() => void} work */
function step(work) {
  const before = screen();
  work();
  keep(store, table.snapshot);
  begun = null;
  isFilled = false;
  changing = chosenPlace = null;
  if (screen() !== before) chosenSeat = null;
  show();
}

/** @param {string} key */
function onTap(key) {
  isFilled = false;
  const [kind, ...rest] = key.split(".");
  const value = rest.join(".");
  if (kind === "tile") tapTile(value);
  else if (kind === "space") tapSpace(Number(value));
  else if (kind === "cell") markTile(value);
  else if (kind === "seat") tapSeat(Number(value));
  else if (kind === "deal") tapDealt(Number(rest[0]), rest.slice(1).join("."));
  else if (kind === "typed") tapTyped(Number(rest[0]));
  else if (kind === "walk") tapWalk(rest[1] === "null" ? null : Number(rest[1]));
  else step(() => tapPart(kind, table.parts[Number(rest[0])], rest.slice(1).join(".")));
}

/** @param {string} kind @param {Part} part @param {string} value */
function tapPart(kind, part, value) {
  if (kind === "find") table.toggle(part, Number(value));
  else if (kind === "list") table.turn(part, value);
  else table.mark(part, part.choices.find((one) => String(one.value) === value)?.value ?? value);
}

/** Enter the number in the field of a part. @param {number} number */
function tapTyped(number) {
  const part = table.parts[number];
  const field = $$(".typed input", $("panel")).find((one) =>
    one.nextElementSibling?.matches(`[data-key="typed.${number}"]`),
  );
  if (!(field instanceof HTMLInputElement) || !field.value || !field.reportValidity()) return;
  const value = Number(field.value);
  const { seat } = currentQuestion();
  if (part.kind === "pick") step(() => table.put([[part.at[0], value]]));
  else if (seat !== null) step(() => table.deal(part, seat, value));
}

/** Lay the next hexagon, or remove the last one. @param {number | null} side */
function tapWalk(side) {
  const part = partsOf("walk")[0];
  const filled = table.path(part).laid.length - 1;
  step(() => table.put([[part.at[side === null ? filled - 1 : filled], side]]));
}

/** @param {Value} value */
function tapTile(value) {
  if (!laid) return;
  const place = table.find(laid, value);
  if (changing !== null) {
    const at = changing;
    if (table.given[laid.at[at]] === value) leave();
    else step(() => table.lay(laid, at, value));
  } else if ((table.remaining(laid).get(value) ?? 0) === 0) {
    changing = place;
    show();
  } else step(() => table.lay(laid, nextPlace(laid), value));
}

/** @param {number} place */
function tapSpace(place) {
  if (!laid) return;
  const value = table.given[laid.at[place]];
  if (!isLaying()) {
    const id = table.idAt(laid, place);
    if (id !== null) tapLaid(id);
  } else if (value === null) {
    [changing, chosenPlace] = [null, place];
    show();
  } else {
    changing = changing === place ? null : place;
    show();
  }
}

/** Answer a question about the laid tiles. @param {Value} value */
function tapLaid(value) {
  const [states] = partsOf("state");
  const [stand] = partsOf("stand");
  const { seat } = currentQuestion();
  if (states) step(() => table.turn(states, value));
  else if (!stand) markTile(value);
  else if (seat !== null) {
    step(() => {
      table.deal(stand, seat, value);
      chosenSeat = null;
    });
  }
}

/** @param {Value} value */
function markTile(value) {
  const part = partsOf("mark")[0];
  if (part) step(() => table.mark(part, value));
}

/** @param {number} seat */
function tapSeat(seat) {
  if (currentQuestion().seat === seat) step(() => table.clear(screen(), seat));
  chosenSeat = seat;
  show();
}

/** @param {number} number @param {Value} value */
function tapDealt(number, value) {
  const part = table.parts[number];
  const { seat } = currentQuestion();
  const choice = part.choices.find((one) => String(one.value) === String(value));
  if (seat === null || !choice) return;
  chosenSeat = seat;
  step(() => {
    table.deal(part, seat, choice.value);
    if (currentQuestion().place < 0) chosenSeat = null;
  });
}

function leave() {
  changing = null;
  show();
}

function fill() {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  let state = word;
  // mulberry32, because one tap needs a draw for each place.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  step(() => table.fill(screen(), random));
  isFilled = true;
  show();
}

// The service

/** Post the setup, and retry until it succeeds. @type {() => Promise<void>} */
const post = again(
  async () => {
    if (!begun) return false;
    try {
      const body = isLate ? beginning(table) : { type: "set_up", outcomes: table.given };
      await api(`/v1/games/${game}/events`, { body, key: begun });
    } catch (error) {
      if (isPassing(error)) throw error;
      begun = null;
      // Another phone has completed the setup.
      if (!(error instanceof ProblemError) || error.slug !== "illegal-action") throw error;
    }
    keep(store, null);
    location.assign(`/games/${game}/record`);
    return false;
  },
  (error) => {
    isReached = !isPassing(error);
    $("problem").hidden = !error || !isReached;
    if (error) $("problem").textContent = messageOf(error);
    show();
    return !isReached;
  },
);

/** @param {unknown} error */
function isPassing(error) {
  return error instanceof Unreachable || (error instanceof ProblemError && error.status >= 429);
}

// Display

/** The choices. @returns {HTMLElement[]} */
function panel() {
  const deals = [...partsOf("deal"), ...partsOf("stand")];
  // On a late page, the roles and the hands have screens of their own. Pawns stand on the board, beside no cards.
  const isOfThings = deals.some((one) => one.owners.length);
  const roles = table.parts.filter((one) => isLate && isOfRoles(one) && !isOfThings);
  const dealt = deals.filter((one) => one.kind === "deal" || isOfThings);
  const shown = deals.length ? [...new Set([...roles, ...dealt])] : [];
  const { seat, place } = currentQuestion();
  const part = table.partOf(place)?.[0];
  const changed = changing === null || !laid ? null : table.given[laid.at[changing]];
  const drawn = (/** @type {string} */ name) => picture(atlas, name);
  return [
    ...partsOf("lay").map((one) => palette(table, one, changed, drawn)),
    ...partsOf("mark").map((one) => (isLate ? counts(table, one) : marks(table, one, drawn))),
    ...partsOf("state").map((one) => counts(table, one)),
    ...partsOf("list").flatMap((one) => states(table, one)),
    ...(shown.length ? [seats(table, shown, names, { seat, place })] : []),
    ...deals.flatMap((one) => (one.choices.length || one.range ? dealChoices(table, one, one === part, drawn) : [])),
    ...partsOf("find").flatMap((one) => shores(table, one)),
    ...partsOf("rank").flatMap((one) => ranks(table, one)),
    ...partsOf("pick").flatMap((one) => picks(table, one)),
  ];
}

/** Update the buttons of the bar. */
function bar() {
  const isReady = table.screen === null && chosenScreen === null;
  const isComplete = !table.parts.some((part) => part.screen === screen() && table.isMissing(part));
  const isChanging = changing !== null;
  $("last").textContent = isChanging
    ? say("A tile that is already placed swaps with this one.")
    : isReady
      ? ""
      : latest();
  $("aslist").hidden = isLate || table.steps.length > 0;
  $("back").hidden = screen() === 0 || isChanging;
  $("players").hidden = screen() > 0 || isChanging;
  $("clear").hidden = $("cancel").hidden = !isChanging;
  $("fill").hidden = isLate || isChanging || isComplete;
  $("forward").hidden = isChanging || !isComplete || isReady;
  $("begin").hidden = isChanging || !isReady;
  $("undo").hidden = isChanging;
  for (const one of $$("#photo"))
    one.hidden = !isLaying() || isChanging || !laid?.at.every((at) => table.places[at].at);
  $("undo", HTMLButtonElement).disabled = table.steps.length === 0 || begun !== null;
  $("begin", HTMLButtonElement).disabled = begun !== null;
}

/** Put one element of each plane into the tab order: the focused one, otherwise the next in question. */
function rove() {
  for (const plane of $$("[data-arrows]")) {
    const all = $$("button", plane);
    const chosen =
      all.find((one) => one === document.activeElement) ??
      all.find((one) => one.matches(".now")) ??
      all.find((one) => one.matches(".pick:not(.laid)")) ??
      all[0];
    for (const one of all) one.tabIndex = one === chosen ? 0 : -1;
  }
}

function show() {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const key = focused?.dataset.key;
  const now = screen();
  const title = page.steps[now].title;
  const isOnBoard = ["lay", "mark", "walk"].some((kind) => table.parts.some((part) => part.kind === kind));
  const isTapped = ["lay", "mark", "walk", "find", "list", "state", "stand"].some(
    (kind) => partsOf(/** @type {Part["kind"]} */ (kind)).length,
  );
  $("setup").className = isTapped ? "with-board" : isOnBoard ? "with-hands" : "with-hands alone";
  $("title").textContent = changing === null ? title : say("Change {space}", { space: laid?.names[changing] ?? "" });
  const sentence = question();
  $("ask").replaceChildren(...sentence.filter((one) => one !== false && one !== null && one !== undefined));
  showProgress(table, page, now);
  const next = isLaying() && changing === null && laid ? nextPlace(laid) : -1;
  drawBoard($("grid"), table, page.cells, { names, atlas, screen: now, next, changing });
  $("panel").replaceChildren(...panel());
  bar();
  rove();
  const last = changing === null ? latest() : "";
  $("said").textContent = [last, $("ask").textContent].filter(Boolean).join(". ");
  if (shownScreen !== now && shownScreen >= 0) $("ask").focus();
  else if (key) $$(`[data-key="${CSS.escape(key)}"]`)[0]?.focus();
  else if (focused?.hidden) $("ask").focus();
  shownScreen = now;
}

for (const host of [$("board"), $("panel")]) {
  host.addEventListener("click", (event) => {
    const element = around(event, "button[data-key]");
    if (element && !begun && element.getAttribute("aria-disabled") !== "true") onTap(element.dataset.key ?? "");
  });
  host.addEventListener("keydown", (event) => {
    const plane = around(event, "[data-arrows]");
    const from = around(event, "button");
    if (!plane || !from || !WAYS[event.key]) return;
    event.preventDefault();
    nearest(from, $$("button", plane), WAYS[event.key])?.focus();
    rove();
  });
}
// Two quick taps can mean two equal cards or tiles, as long as the same one is still under the finger.
catchDoubleClicks($("setup"), (event) => {
  const stock = around(event, ".kind, .pick:not(.laid)");
  const now = document.elementFromPoint(event.clientX, event.clientY)?.closest(".kind, .pick:not(.laid)");
  return now instanceof HTMLElement && now.dataset.key === stock?.dataset.key;
});
$("undo").addEventListener("click", () => {
  step(() => table.undo());
  chosenScreen = null;
  show();
});
$("fill").addEventListener("click", fill);
$("cancel").addEventListener("click", leave);
$("clear").addEventListener("click", () => {
  const place = changing;
  if (place !== null && laid) step(() => table.put([[laid.at[place], null]]));
});
$("back").addEventListener("click", () => {
  chosenScreen = screen() - 1;
  chosenSeat = null;
  show();
});
$("forward").addEventListener("click", () => {
  const now = screen();
  table.passed.add(now);
  chosenSeat = null;
  keep(store, table.snapshot);
  chosenScreen = now + 1 < (table.screen ?? page.steps.length) ? now + 1 : null;
  show();
});
$("begin").addEventListener("click", () => {
  begun = newKey();
  show();
  post();
});

for (const one of $$("#photo")) {
  one.addEventListener("click", async () => {
    if (!laid) return;
    const places = laid.at;
    try {
      const { readPhoto } = await import("./photo.js");
      const finish = (/** @type {Value[] | null} */ values) =>
        values ? step(() => table.put(values.map((value, place) => [places[place], value]))) : show();
      readPhoto({ plan: read(plan), page, given: table.values(laid), box: one.dataset.box ?? "", atlas, finish });
    } catch (error) {
      $("problem").hidden = false;
      $("problem").textContent = messageOf(error);
    }
  });
}

show();
install();
