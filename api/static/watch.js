// Watch a game live: for each event or burst of events of the stream, show a picture and the last sentences.

import { api, read } from "./api.js";
import { stayAwake } from "./awake.js";
import { boards } from "./boards.js";
import { follow } from "./live.js";
import { planes } from "./planes.js";
import { told } from "./telling.js";
import { $, h } from "./ui.js";
import { marked, say, together } from "./words.js";

const TOGETHER = 60; // ms: events within this time are shown as one
const AGAIN = 2000; // ms until a failed fetch is retried
const SENTENCES = 6;

const { api: url, version, names: seated } = /** @type {Record<string, string>} */ ($("watch").dataset);
/** @type {string[]} */
const names = read(seated);
const around = document.getElementById("around");
const isTall = around || matchMedia("(max-width: 40rem)").matches;
const pictures = boards(`${url}/board.svg`, { layout: isTall ? "tall" : "wide" });
const board = planes($("board"), around);

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
    await Promise.all([sentences(at), picture(at)]);
    shown = at;
  } catch {
    soon(AGAIN);
  } finally {
    isDrawing = false;
  }
  if (newest > at) soon();
}

/** @param {number} at */
async function sentences(at) {
  const query = { after: Math.max(0, at - SENTENCES), until: at, limit: SENTENCES };
  /** @type {Story} */
  const { story, awaiting, turn, outcome, phase } = await api(`${url}/story`, { query });

  isOver = outcome !== null;
  tellConnection();
  $("whose").textContent = whose({ awaiting, turn, outcome, phase });
  const [last, ...before] = story.reverse();
  $("sentence").replaceChildren(last.sentence, ...signs(last));
  $("before").replaceChildren(
    ...before.map((line) => h("li", { class: line.is_undone ? "undone" : null }, line.sentence, signs(line))),
  );
}

/** @param {StoryLine} line */
function signs(line) {
  return told(line).flatMap(({ text, tone }) => [" ", h("span", { class: `chip ${tone}` }, text)]);
}

const ENDED = { won: marked("Won!"), lost: marked("Lost"), draw: marked("A draw"), abandoned: marked("Abandoned") };

/** @param {Pick<Story, "awaiting" | "turn" | "outcome" | "phase">} now */
function whose({ awaiting, turn, outcome, phase }) {
  if (outcome) return say(/** @type {Record<string, string>} */ (ENDED)[outcome.result]);
  if (phase === "setup") return say("The table is being set up");
  const waiting = awaiting.map((seat) => names[Number(seat.slice(1)) - 1]);
  const who = waiting.length > 2 ? say("everyone") : together(waiting);
  return say("Turn {turn} · {who}", { turn, who });
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
