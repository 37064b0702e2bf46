// The record page: a phone in the middle of the table.

import { Unreachable } from "../api.js";
import { follow } from "../live.js";
import { catchDoubleClicks, h, toast } from "../ui.js";
import { bodyOf } from "./actions.js";
import { abandonSheet, noteSheet } from "./notes.js";
import { adjustSheet } from "./adjust.js";
import { amendSheet } from "./amend.js";
import { Board, isMeant, placesOf } from "./board.js";
import { Feed } from "./feed.js";
import { actionFields, rangeForm } from "./freely.js";
import { history } from "./history.js";
import { offlineNotice, refusedNotice } from "./notices.js";
import { Outbox } from "./outbox.js";
import { Panel } from "./panel.js";
import { formSheet, sheet } from "./sheets.js";
import { Table, words } from "./table.js";
import { revealSheet, unseen } from "./unseen.js";

const $ = (id) => document.getElementById(id);
const page = $("record");
const table = new Table(page.dataset.game, page.dataset.ruleset);
const outbox = new Outbox(`${table.url}/events`, { onChange: renderState, onDone: recorded, onRefused: refused });
const panel = new Panel($("todo"), $("elsewhere"), table, { onTap, onRange, onOutcome, onBack, onChoice: lightUp });
const board = new Board($("board"), $("rest"), { onPlace, onSeat });
const feed = new Feed($("feed"), $("earlier"), { onOpen: openEvent });
/** Events that this page has recorded: it need not be told of them. */
const ours = new Set();
let stream = null;
let isConnected = false;

// Reading

let reading = null;
let isStale = false;

/** Read the game anew; whoever asks meanwhile waits for one more reading. */
function refresh() {
  isStale = true;
  reading ??= read().finally(() => {
    reading = null;
    renderState();
  });
  return reading;
}

async function read() {
  while (isStale) {
    isStale = false;
    const before = table.story.length;
    try {
      await table.refresh();
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error.status >= 500)) throw error;
      setTimeout(refresh, 2000);
      return;
    }
    // Buttons that stay as they are are left alone: somebody may be about to tap one.
    if (String(table.version) === page.dataset.version) continue;
    // The set-up itself was taken back.
    if (table.now.phase === "setup") location.reload();
    tellOfOthers(before);
    panel.refresh();
    renderState();
    lightUp();
    page.dataset.version = table.version;
    // The buttons do not wait for the picture.
    board.draw(table.url, table.version);
  }
  listen();
  pastNotes();
}

function listen() {
  if (stream) return;
  stream = follow(`${table.url}/stream`, {
    after: table.version,
    onEvent: (event) => event.seq > table.version && noticed(),
    onMessage: noticed,
    onState: (state) => {
      if (state === "ended") stream = null;
      isConnected = state !== "waiting";
      // As long as there is no stream, what others do is asked for whenever one is tried.
      if (!isConnected && navigator.onLine) noticed();
      renderState();
    },
  });
}

/** Something was recorded, here or elsewhere. What is ours is read when its answer has come. */
function noticed() {
  if (outbox.waiting === 0 || outbox.isOffline) refresh();
}

function tellOfOthers(before) {
  if (before === 0) return;
  const lines = table.story.slice(before).filter((line) => !ours.has(line.seq));
  if (lines.length) toast(lines.map((line) => line.sentence).join(" "));
}

// Recording

/** Send `body` after all that waits. */
function record(body, label) {
  outbox.add(body, label, table.version);
}

/** Until an answer is there and shown nothing else is tapped; but nobody waits long. */
function isBusy() {
  return !outbox.isOffline && (reading !== null || (outbox.waiting > 0 && !outbox.refused));
}

/** Whether a tap would be about another table than the one on the screen; says why. */
function isLocked() {
  if (outbox.refused) toast("First decide about the tap that was not recorded.");
  return outbox.refused !== null || isBusy();
}

function onTap(entry, button) {
  if (isLocked()) return;
  const point = table.isObserved && entry.chance ? entry.chance[0] : null;
  if (point) {
    panel.ask(entry, point, []);
    lightUp();
    return;
  }
  button?.classList.add("is-sent");
  record(bodyOf(entry), entry.label);
}

function onOutcome(asked, outcome, button) {
  if (!asked.isBound && isLocked()) return;
  button?.classList.add("is-sent");
  const outcomes = [...asked.outcomes, outcome.value];
  const label = `${asked.entry.label}: ${outcome.label}`;
  if (asked.isBound) outbox.repeat(table.version, { ...outbox.refused.body, outcomes }, label);
  else record(bodyOf(asked.entry, outcomes), label);
  panel.question = null;
  if (outbox.isOffline) panel.back();
}

function onBack(asked) {
  if (asked.isBound) outbox.drop(table.version);
  panel.back();
  lightUp();
}

function onRange(range) {
  const form = rangeForm(table, range);
  formSheet(`${table.name(range.actor)}: ${words(range.type)}`, [form.element], {
    submit: words(range.type),
    onSubmit: () => record({ type: range.type, actor: range.actor, params: form.read() }, words(range.type)),
  });
}

function recorded(tap, answer) {
  for (const event of answer.events) ours.add(event.seq);
  say(`Recorded: ${tap.label}`);
  panel.question = null;
  refresh();
}

function refused(tap) {
  if (tap.problem.slug === "outcome-required") askRefused();
  refresh();
}

/** What somebody noted meanwhile changes nothing: the tap that came too late for it is made again. */
function pastNotes() {
  const tap = outbox.refused;
  const meanwhile = tap ? table.story.slice(tap.base) : [];
  const isOnlyNotes = meanwhile.length > 0 && meanwhile.every((line) => line.type === "annotate");
  if (isOnlyNotes && tap.problem.slug === "version-conflict") outbox.repeat(table.version);
}

/** The tap that was refused needs (another) outcome. */
function askRefused() {
  const tap = outbox.refused;
  const given = tap.body.outcomes || [];
  const point = tap.problem.chance;
  panel.ask({ ...tap.body, label: tap.label }, point, given.slice(0, point.position || 0), { isBound: true });
}

/** What the refused tap did to the table is entered by hand. */
function adjustInstead() {
  const { label, problem } = outbox.refused;
  outbox.drop(table.version);
  adjustSheet(table, record, { why: `${label}. ${problem.instead.event.params.reason}` });
}

/** The refused tap depends on what nobody saw: that is said first, the tap then made again. */
async function revealFirst() {
  const points = await unseen(table);
  outbox.drop(table.version);
  revealSheet(table, points, record);
}

// The board

function lightUp() {
  if (!table.now || table.game.outcome) return;
  const asked = panel.asked;
  const targets = asked
    ? new Set(asked.point.outcomes.map((outcome) => String(outcome.value)))
    : panel.entries.reduce((found, entry) => placesOf(entry.params, found), new Set());
  targets.delete(panel.seat);
  board.light(targets, panel.seat);
}

/** A pawn, or a player's hand: it is chosen, to see what it may do; or it is what the chosen one acts on. */
function onSeat(seat) {
  if (!table.now || table.game.outcome) return;
  const isTarget = board.targets.has(seat);
  const mayAct = [...table.now.actions, ...(table.now.possible || [])].some((entry) => entry.actor === seat);
  if (panel.asked || (isTarget && (panel.seat || !mayAct))) onPlace(seat, table.name(seat));
  else panel.choose(panel.seat === seat || !mayAct ? null : seat);
}

function onPlace(place, title) {
  if (!table.now || table.game.outcome || isLocked()) return;
  const asked = panel.asked;
  if (asked) {
    const outcome = asked.point.outcomes.find((one) => String(one.value) === place);
    if (outcome) onOutcome(asked, outcome, null);
    return;
  }
  const entries = panel.entries.filter((entry) => isMeant(place, placesOf(entry.params)));
  if (entries.length === 0) toast(`Nothing to be done there: ${title}`, { seconds: 2 });
  else if (entries.length === 1) onTap(entries[0], null);
  else chooseAmong(title, entries);
}

function chooseAmong(title, entries) {
  const opened = sheet(
    title,
    h(
      "div",
      { class: "buttons column" },
      entries.map((entry) =>
        h("button", { type: "button", class: "button large block", onclick: () => (opened.close(), onTap(entry, null)) }, entry.label),
      ),
    ),
  );
}

// What is on the screen

function renderState() {
  if (!table.now) return;
  const { undo, redo } = history(table.story);
  const { turn, phase, awaiting } = table.now;
  const isOver = Boolean(table.game.outcome);
  // It is not always whose turn it is that is awaited.
  const whose = table.story.findLast((line) => line.turn === turn)?.seat;
  const by = whose && awaiting.length && !awaiting.includes(whose) ? ` of ${table.name(whose)}` : "";
  $("when").textContent = isOver ? `After turn ${turn}` : `Turn ${turn}${by} · ${words(phase)}`;
  $("whose").textContent = isOver ? "The game has ended" : table.names(awaiting);
  const state = outbox.isOffline ? "Offline" : outbox.waiting ? "Sending …" : isConnected ? "Live" : "Connecting …";
  $("link").textContent = state;
  $("link").className = `chip ${outbox.isOffline || !isConnected ? "sand" : "good"}`;
  $("todo").setAttribute("aria-busy", String(isBusy()));
  const meanwhile = outbox.refused ? table.story.slice(outbox.refused.base).filter((line) => !ours.has(line.seq)) : [];
  const refusal = panel.question?.isBound
    ? null
    : refusedNotice(outbox, meanwhile, {
        onRepeat: () => outbox.repeat(table.version),
        onDrop: () => outbox.drop(table.version),
        onDropAll: () => outbox.drop(table.version, { all: true }),
        onChoose: askRefused,
        onInstead: adjustInstead,
        onReveal: revealFirst,
      });
  $("notices").replaceChildren(...[offlineNotice(outbox), refusal].filter(Boolean));
  $("last").textContent = undo ? undo.line.sentence : "";
  tapOnce($("undo"), undo, "Undo");
  tapOnce($("redo"), redo, "Redo");
  $("redo").hidden = !redo;
  feed.render(table.story, outbox.taps);
}

/** Undo and redo: one tap, and what it is about is told with the button. */
function tapOnce(button, step, label) {
  button.setAttribute("aria-disabled", String(!step));
  button.setAttribute("aria-label", step ? `${label}: ${step.line.sentence}` : label);
  button.onclick = () => {
    if (step && !isLocked()) record({ type: "undo", actor: null, params: { to: step.to } }, `${label}: ${step.line.sentence}`);
  };
}

function say(text) {
  $("said").textContent = text;
}

// Sheets

function menu(title, entries) {
  const opened = sheet(
    title,
    h(
      "div",
      { class: "buttons column" },
      entries
        .filter(Boolean)
        .map(([label, run, kind = ""]) =>
          h("button", { type: "button", class: `button large block ${kind}`, onclick: () => (opened.close(), run()) }, label),
        ),
    ),
  );
  return opened;
}

async function openEvent(line) {
  const points = (await unseen(table)).filter((point) => point.seq === line.seq);
  const isAction = !["game_opened", "set_up", "game_closed", "undo"].includes(line.type) && !line.is_undone && !line.superseded_by;
  const isLast = line.seq === table.version;
  const back = () => record({ type: "undo", actor: null, params: { to: line.seq } }, `Back to: ${line.sentence}`);
  const opened = menu(`Event ${line.seq}`, [
    ["Note, mark or bookmark", () => noteSheet(line, record)],
    points.length > 0 && ["Say what nobody saw", () => revealSheet(table, points, record)],
    isAction && ["Change it", () => amendSheet(table, line, "event", record)],
    isAction && ["Put something in before it", () => amendSheet(table, line, "insert", record)],
    isAction && ["Take it out", () => amendSheet(table, line, "remove", record)],
    line.seq >= 2 && !isLast && ["Take back all that came after it", back, "danger"],
  ]);
  opened.body.prepend(h("p", { class: "quote" }, line.sentence));
}

function anyway() {
  const fields = actionFields(table);
  formSheet(table.game.mode === "as_played" ? "It happened anyway" : "Another action", fields.elements, {
    submit: "Record it",
    onSubmit: () => {
      const { label, ...body } = fields.read();
      record(body, label);
    },
  });
}

$("more").addEventListener("click", async () => {
  if (!table.now) return;
  const points = await unseen(table);
  const last = table.story.findLast((line) => !line.is_undone);
  const isOver = Boolean(table.game.outcome);
  const opened = menu("More", [
    ["Note, mark or bookmark", () => noteSheet(last, record)],
    points.length > 0 && ["Say what nobody saw", () => revealSheet(table, points, record)],
    !isOver && table.game.mode === "as_played" && ["It happened anyway", anyway],
    !isOver && table.game.mode !== "as_played" && outbox.isOffline && ["Another action", anyway],
    !isOver && ["Put the table right", () => adjustSheet(table, record)],
    !isOver && ["Stop the game", () => abandonSheet(record), "danger"],
  ]);
  opened.body.append(h("div", { class: "buttons" }, [...$("elsewhere").children].map((link) => link.cloneNode(true))));
});

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
window.addEventListener("online", refresh);
catchDoubleClicks(page);

await refresh();
outbox.hurry();
