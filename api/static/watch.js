// Watch a game live: for each event or burst of events of the stream, show a picture and the last sentences.

import { api, read } from "./api.js";
import { stayAwake } from "./awake.js";
import { boards } from "./boards.js";
import { follow } from "./live.js";
import { planes } from "./planes.js";
import { badge, sign } from "./record/signs.js";
import { dots, hand, meter, stats } from "./record/strip.js";
import { signsOf } from "./telling.js";
import { $, h } from "./ui.js";
import { marked, say, together } from "./words.js";

const TOGETHER = 60; // ms: events within this time are shown as one
const AGAIN = 2000; // ms until a failed fetch is retried
const SENTENCES = 6;

const { api: url, version, theme, names: seated } = /** @type {Record<string, string>} */ ($("watch").dataset);
/** @type {string[]} */
const names = read(seated);
const pictures = boards(`${url}/board.svg`, { layout: "board" });
const board = planes($("board"));
const ask = document.getElementById("ask");
const hands = document.getElementById("hands");

let newest = Number(version);
let shown = 0;
let isDrawing = false;
/** @type {Timer} */
let timer;
/** @type {Connection} */
let connection = "waiting";
let isOver = false;

const STATES = {
  live: [say("Live"), "good"],
  waiting: [say("Waiting for the network…"), "sand"],
  ended: [say("The game has ended"), ""],
  refused: [say("You are signed out"), "sand"],
};

function tellConnection(state = connection) {
  connection = state;
  // A correction can reopen an ended game, so its stream continues.
  const [text, tone] = STATES[state === "live" && isOver ? "ended" : state];
  const chip = $("connection");
  chip.textContent = text;
  chip.className = `chip ${tone}`;
}

function soon(pause = TOGETHER) {
  clearTimeout(timer);
  timer = setTimeout(draw, pause);
}

async function draw() {
  if (isDrawing) return;
  isDrawing = true;
  const at = newest;
  try {
    const [now] = await Promise.all([sentences(at), picture(at), question()]);
    players(now);
    paint();
    shown = at;
  } catch {
    soon(AGAIN);
  } finally {
    isDrawing = false;
  }
  if (newest > at) soon();
}

/** Use the theme in the address, because a stream (as in OBS) has no preferred theme. */
function paint() {
  if (theme !== "dark" && theme !== "light") return;
  document.documentElement.style.colorScheme = theme;
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && rule.media.mediaText.includes("prefers-color-scheme: dark"))
        rule.media.mediaText = theme === "dark" ? "all" : "not all";
    }
  }
}

/** @param {number} at */
async function sentences(at) {
  const query = { after: Math.max(0, at - SENTENCES), until: at, limit: SENTENCES };
  /** @type {Story} */
  const { story, awaiting, turn, outcome, phase } = await api(`${url}/story`, { query });

  isOver = outcome !== null;
  tellConnection();
  $("whose").textContent = whose({ awaiting, outcome, phase });
  const [last, ...before] = story.reverse();
  $("sentence").replaceChildren(last.sentence, ...signs(last));
  const place = document.getElementById("turn");
  if (place) place.textContent = turn ? say("Turn {turn}", { turn }) : "";
  $("before").replaceChildren(
    ...before.map((line) => h("li", { class: line.is_undone ? "undone" : null }, line.sentence, signs(line))),
  );
  return { awaiting: outcome ? [] : awaiting };
}

/** Show the question to the table, if the page has a place for it. */
async function question() {
  if (ask) ask.textContent = isOver ? "" : (await api(`${url}/actions`)).ask;
}

/** Show pawns, meters and hands, which came with the picture. @param {{awaiting: string[]}} now */
function players({ awaiting }) {
  const text = document.querySelector("#board metadata")?.textContent;
  if (!text) return;
  /** @type {Summary} */
  const summary = JSON.parse(text);
  const who = summary.players.filter((player) => awaiting.includes(player.seat));
  $("badge").replaceChildren(...(who.length === 1 ? who.map(badge) : []));
  $("left").replaceChildren(...dots(who.length === 1 ? who[0].actions : null));
  const [first] = summary.meters;
  $("gauges").replaceChildren(
    ...(first ? [reading(first), hands && meter(first)].filter((one) => one !== null) : []),
    ...summary.vital.map(stats),
  );
  hands?.replaceChildren(...summary.players.map((one) => hand(one, { isTurn: awaiting.includes(one.seat) })));
}

/** A meter in words. @param {Meter} meter */
function reading({ title, reading, levels, at, symbol }) {
  const said = reading || levels[at]?.label || "";
  return h("div", { class: "reading" }, symbol && sign(symbol), h("b", {}, title), h("span", {}, said));
}

/** @param {StoryLine} line */
function signs(line) {
  return signsOf(line).flatMap(({ text, tone }) => [" ", h("span", { class: `chip ${tone}` }, text)]);
}

const ENDED = { won: marked("Won!"), lost: marked("Lost"), draw: marked("A draw"), abandoned: marked("Abandoned") };

/** @param {Pick<Story, "awaiting" | "outcome" | "phase">} now */
function whose({ awaiting, outcome, phase }) {
  if (outcome) return say(/** @type {Record<string, string>} */ (ENDED)[outcome.result]);
  if (phase === "setup") return say("The table is being set up");
  const waiting = awaiting.map((seat) => names[Number(seat.slice(1)) - 1]);
  return waiting.length > 2 ? say("Everyone") : together(waiting);
}

/** @param {number} at */
async function picture(at) {
  const text = await pictures.get(at, shown > 0 && shown < at ? shown : undefined);
  board.put(text);
}

stayAwake();
draw();
follow(`${url}/stream`, {
  after: newest,
  onEvent(event) {
    newest = event.seq;
    soon();
  },
  onMessage: () => soon(),
  onState: tellConnection,
});
