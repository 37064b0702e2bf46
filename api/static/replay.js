// The replay: step through a game event by event, on the board and in words.

import { api, read, Unreachable } from "./api.js";
import { boards } from "./boards.js";
import { branchTree } from "./branches.js";
import { curve, paths } from "./curve.js";
import { formSheet } from "./formsheet.js";
import { planes } from "./planes.js";
import { playback } from "./playing.js";
import { Story } from "./story.js";
import { swings } from "./swings.js";
import { flag, note, signsOf, storyList } from "./telling.js";
import { timeline } from "./timeline.js";
import { branch, setUpBranches } from "./trying.js";
import { $, $$, around, copy, h, keep, messageOf, openSheet, recall, toast } from "./ui.js";
import { say } from "./words.js";

const AHEAD = 8; // pictures to prefetch
const BEHIND = 2;
const FAST = "250"; // ms for each event, of a replay that plays at once
const YEAR = 31536000;

const root = $("replay");
const { api: url, games, names: seated, chance: kind } = /** @type {Record<string, string>} */ (root.dataset);
const page = location.pathname;
/** @type {string[]} */
const names = read(seated);
const isSpoilerFree = "spoilerFree" in root.dataset;
const isPlayedAtOnce = new URLSearchParams(location.search).has("play");
const seenName = `seen.${url}`;

const story = new Story(url);
const pictures = boards(`${url}/board.svg`);
const board = planes($("board"), $("around"));
const line = timeline($("scrubber", HTMLInputElement), $("track"), choose);
const list = storyList($("story"), names, choose);
/** @type {number[]} */
let steps = [];
/** @type {Turn[]} */
let turns = [];
/** The points of the curve loaded so far. @type {{title: string, points: RecapPoint[]} | null} */
let course = null;
let cursor = 0;
let pictured = 0; // the event after which the board was requested last
const chances = swings(url, names, choose, () => {
  if (cursor === 0) return;
  drawCourse();
  drawLevel(cursor);
});
const tries = setUpBranches(url, games, kind, chances.mark, picture);
/** @type {Timer} */
let address;
let choice = 0; // the number of chosen events: steps requested earlier are dropped
let walk = Promise.resolve(); // steps run one after the other

// Data and position

async function start() {
  const linked = Number(location.hash.slice(1)) || Number(root.dataset.at) || 0;
  if (isSpoilerFree) await story.load(Math.max(linked, recall(seenName) || 0, 2));
  else await story.load();
  await Promise.all([readCourse(), isSpoilerFree || chances.load(root.dataset.analysis)]);
  redraw();
  await show(Math.min(linked || story.last, story.last));
  root.dataset.ready = "";
  if (isPlayedAtOnce) {
    $("speed", HTMLSelectElement).value = FAST;
    await play();
  }
  // A share link gives access to this game only, so do not load its branches.
  if (isSpoilerFree || "shared" in root.dataset) return;
  // Without a network, the replay works without the tree.
  const tree = await branchTree(url, games).catch((error) => {
    if (!(error instanceof Unreachable)) throw error;
  });
  if (tree) $("tree").replaceChildren(tree);
  $("branches").hidden = !tree;
}

function redraw() {
  const isWhole = !$("only-standing", HTMLInputElement).checked;
  const lines = story.lines.filter((one) => isWhole || !one.is_undone);
  const notes = story.notes();
  turns = story.turns();
  steps = lines.map((one) => one.seq);
  const marks = new Map();
  for (const one of lines) {
    const kinds = signsOf(one, notes.get(one.seq)).map((sign) => sign.kind);
    if (kinds.length > 0) marks.set(one.seq, kinds);
  }
  line.draw(steps, turns, marks);
  list.draw(lines, notes);
  drawNotes(notes);
  drawCourse();
}

/** Load the recap. The replay works without it, and does not show it in spoiler-free mode. */
async function readCourse() {
  if (isSpoilerFree) return;
  /** @type {Recap | null} */
  const recap = await api(`${url}/recap`).catch(() => null);
  course = recap?.curve ?? null;
}

function drawCourse() {
  if (chances.draw(steps, story.last)) return;
  const known = course ? curve(steps, course.points, story.last) : [];
  const { line: path, under } = paths(known);
  $("course").toggleAttribute("hidden", path === "");
  for (const [name, d] of [
    ["line", path],
    ["under", under],
  ]) {
    $$(`.${name}`, $("course"))[0].setAttribute("d", d);
  }
}

/** Show the value of the curve after event `seq`. @param {number} seq */
function drawLevel(seq) {
  tries.move(seq);
  if (chances.move(seq)) return;
  const point = course?.points.findLast((one) => one.seq <= seq);
  $("level").hidden = !point;
  if (course && point) $("level").replaceChildren(h("span", {}, course.title), h("b", {}, String(point.level)));
}

/** @param {number} seq */
async function show(seq) {
  const one = story.line(seq);
  cursor = seq;
  line.move(seq, `${seq}: ${whereIs(one)}. ${one.sentence}`);
  list.move(seq);
  $("where").replaceChildren(
    `${whereIs(one)} `,
    h("span", { class: "soft" }, `· ${say("event {event}", { event: seq })}`),
  );
  drawLevel(seq);
  for (const pawn of $$("[data-seat]", $("pawns")))
    pawn.toggleAttribute("hidden", pawn.dataset.seat !== (one.actor ?? one.seat));
  $("sentence").textContent = one.sentence;
  const notes = story.notes().get(seq) || [];
  $("chips").replaceChildren(...signsOf(one).map(({ text, tone }) => h("span", { class: `chip ${tone}` }, text)));
  $("flags").replaceChildren(...signsOf(one).map(flag));
  $("notes").replaceChildren(...notes.map(note));
  remember(seq);
  await picture(seq, seq - 1);
  const at = steps.indexOf(seq);
  const near = [...steps.slice(at + 1, at + 1 + AHEAD), ...steps.slice(Math.max(0, at - BEHIND), at).reverse()];
  pictures.ahead(near.map((step) => [step, step - 1]));
}

/** Draw the table after event `seq`. @param {number} seq @param {number} [since]  mark changes since this event */
async function picture(seq, since) {
  const host = $("board");
  pictured = seq;
  try {
    const text = await pictures.get(seq, since);
    if (seq === pictured) board.put(text);
  } catch {
    if (seq === pictured)
      host.replaceChildren(h("p", { class: "empty soft" }, say("There is no picture of this moment.")));
  }
}

/** @param {number} seq */
function remember(seq) {
  if (isSpoilerFree) keep(seenName, Math.max(seq, recall(seenName) || 0));
  // Browsers limit how often the address may change.
  clearTimeout(address);
  address = setTimeout(() => {
    const here = new URL(location.href);
    for (const name of ["at", "play"]) here.searchParams.delete(name);
    here.hash = `#${seq}`;
    history.replaceState(history.state, "", here);
  }, 150);
}

/** @param {StoryLine} one */
function whereIs(one) {
  const { turn } = turnOf(one.seq);
  if (turn === 0) return say("Before the first turn");
  const name = one.seat ? names[Number(one.seat.slice(1)) - 1] : null;
  const last = turns[turns.length - 1].turn;
  const where = isSpoilerFree ? say("Turn {turn}", { turn }) : say("Turn {turn} of {last}", { turn, last });
  return name ? `${where}, ${name}` : where;
}

// Steps

/** @param {number} seq @returns {Promise<number | null>} */
async function following(seq) {
  const next = steps.find((step) => step > seq);
  if (next !== undefined) return next;
  if ((await story.more(isSpoilerFree ? story.last + 1 : undefined)) === 0) return null;
  redraw();
  return following(seq);
}

/** @param {number} seq */
function preceding(seq) {
  return steps.findLast((step) => step < seq) ?? null;
}

/** @type {Record<string, () => number | null | undefined | Promise<number | null>>} */
const moves = {
  start: () => steps[0],
  back: () => preceding(cursor),
  forward: () => following(cursor),
  turn_back() {
    const first = steps.find((step) => step >= turnOf(cursor).first) ?? cursor;
    if (first < cursor) return first;
    const before = preceding(cursor);
    return before && steps.find((step) => step >= turnOf(before).first);
  },
  async turn_forward() {
    const { first } = turnOf(cursor);
    let next = await following(cursor);
    while (next !== null && turnOf(next).first === first) next = await following(next);
    return next ?? steps[steps.length - 1];
  },
  async end() {
    if (!isSpoilerFree && (await story.more()) > 0) redraw();
    return steps[steps.length - 1];
  },
};

/** @param {number} seq */
function turnOf(seq) {
  return turns.find((turn) => seq <= turn.last) ?? turns[turns.length - 1];
}

/** @param {string} move */
function go(move) {
  const mine = choice;
  walk = walk
    .then(async () => {
      const seq = mine === choice ? await moves[move]() : null;
      if (mine !== choice) return;
      if (seq !== null && seq !== undefined && seq !== cursor) show(seq);
      else if (move === "forward") toast(say("You have reached the end of the record so far."));
    })
    .catch(complain);
}

/** @param {unknown} error */
function complain(error) {
  pause();
  toast(messageOf(error), { kind: "bad" });
}

/** @param {number} seq */
function choose(seq) {
  choice += 1;
  return show(seq);
}

// Play

const { play, pause, toggle } = playback({
  next: () => following(cursor),
  restart: () => show(steps[0]),
  show,
  complain,
});

/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  Home: "start",
  End: "end",
  "[": "turn_back",
  "]": "turn_forward",
};

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (around(event, "dialog, textarea, select, input:not([type=range], [type=checkbox])")) return;
  if (event.key === " " && !around(event, "button, summary, input[type=checkbox]")) {
    event.preventDefault();
    toggle();
  } else if (event.key === "?") {
    openSheet($("help"));
  } else if (event.key in KEYS) {
    event.preventDefault();
    pause();
    go(KEYS[event.key]);
  }
});

for (const button of $$("[data-go]", root)) {
  button.addEventListener("click", () => {
    pause();
    go(String(button.dataset.go));
  });
}
$("play").addEventListener("click", toggle);
$("scrubber", HTMLInputElement).addEventListener("pointerdown", pause);
$("help-button").addEventListener("click", () => openSheet($("help")));
$("more").addEventListener("click", () => {
  const isOpen = $("more").getAttribute("aria-expanded") === "true";
  $("more").setAttribute("aria-expanded", String(!isOpen));
});
$("only-standing", HTMLInputElement).addEventListener("change", () => {
  redraw();
  show(steps.includes(cursor) ? cursor : (preceding(cursor) ?? steps[0]));
});
const spoilerFree = $("spoiler-free", HTMLInputElement);
spoilerFree.addEventListener("change", () => {
  const isWanted = spoilerFree.checked;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is only there over HTTPS; a table's Wi-Fi is not.
  document.cookie = `spoiler_free=${isWanted ? 1 : 0}; path=/; max-age=${YEAR}; samesite=lax`;
  // A new visitor starts at the end of the record; in spoiler-free mode, at the beginning.
  const isAtEnd = cursor === story.last;
  if (isWanted) keep(seenName, isAtEnd ? 2 : cursor);
  clearTimeout(address);
  history.replaceState(history.state, "", isWanted && isAtEnd ? page : `${page}#${cursor}`);
  location.reload();
});
window.addEventListener("hashchange", async () => {
  const seq = Number(location.hash.slice(1));
  if (!(seq >= 1) || seq === cursor) return;
  pause();
  choice += 1;
  const mine = choice;
  if (seq > story.last && (await story.more(isSpoilerFree ? seq : undefined)) > 0) redraw();
  if (mine === choice) await show(Math.min(seq, story.last));
});

/** @param {Map<number, Said[]>} notes */
function drawNotes(notes) {
  const entries = [...notes].filter(([seq]) => seq <= story.last).sort(([one], [other]) => one - other);
  $("all-notes").hidden = entries.length === 0;
  $("note-list").replaceChildren(
    ...entries.map(([seq, about]) =>
      h("li", {}, h("a", { href: `#${seq}`, class: "number" }, say("Event {event}", { event: seq })), about.map(note)),
    ),
  );
}

// Actions

$("copy-link").addEventListener("click", async () => {
  await copy(new URL(`${page}?at=${cursor}`, location.href).href);
  toast(say("Link to this event copied."), { kind: "good" });
});

/** Pause, and name the event that a dialog is about. */
function theEvent() {
  pause();
  return say("event {event}", { event: cursor });
}

formSheet($("add-note"), $("note-sheet", HTMLDialogElement), theEvent, async (said, key) => {
  /** @type {Record<string, unknown>} */
  const params = { seq: cursor };
  for (const [name, value] of said) if (String(value).trim()) params[name] = String(value).trim();
  if (Object.keys(params).length === 1) throw new Error(say("Write a note, choose a mark, or name a bookmark."));
  await api(`${url}/events`, { body: { type: "annotate", params }, key });
  if (!isSpoilerFree && (await story.more()) > 0) redraw();
  await show(cursor);
  toast(say("Saved."), { kind: "good" });
});

formSheet($("fork"), $("fork-sheet", HTMLDialogElement), theEvent, async (chosen, key) => {
  location.assign(`${games}${await branch(url, { at: cursor, chance: chosen.get("chance") }, key)}/record`);
});

start().catch((error) => {
  $("sentence").textContent = error.message;
  throw error;
});
