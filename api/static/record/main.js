// The record page: a phone in the middle of the table.

import { ProblemError, Unreachable } from "../api.js";
import { stayAwake } from "../awake.js";
import { install, isGone } from "../keeping.js";
import { follow } from "../live.js";
import { $, buzz, catchDoubleClicks, h, isShown, keepClicks, renew, toast } from "../ui.js";
import { say, sentence } from "../words.js";
import { bodyOf } from "./actions.js";
import { adjustSheet } from "./adjust.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { shutBubble } from "./bubble.js";
import { Feed } from "./feed.js";
import { Focus } from "./focus.js";
import { rangeForm } from "./freely.js";
import { foreseen, history, retoldAfter } from "./history.js";
import { listen as listenToKeys } from "./keys.js";
import { Last } from "./last.js";
import { misfit } from "./misfit.js";
import { lastSeenNotice, offlineNotice, reasonOf, refusedNotice } from "./notices.js";
import { openEvent, openMore } from "./opened.js";
import { Outbox } from "./outbox.js";
import { Panel } from "./panel.js";
import { rematchButtons } from "./rematch.js";
import { formSheet } from "./sheets.js";
import { listen as listenToSlides } from "./slide.js";
import { isSlip, ringed, SlipSheet } from "./slip.js";
import { Strip } from "./strip.js";
import { Table } from "./table.js";
import { Timer } from "./timer.js";
import { Touch } from "./touch.js";
import { revealSheet, unseen } from "./unseen.js";

/** What a phone lets feel, in ms. */
const RECORDED = 10;
const DECIDE = [30, 40, 30];

const page = $("record");
const table = new Table(String(page.dataset.game), String(page.dataset.ruleset));
const outbox = new Outbox(`${table.url}/events`, {
  onChange: renderState,
  onDone: recorded,
  onRefused: refused,
  wanted,
  misfit: (tap) => misfit(tap, table),
});
const onSeat = (/** @type {string} */ seat, /** @type {HTMLElement | null} */ tile = null) => touch.onSeat(seat, tile);
const isOnBoard = (/** @type {unknown} */ params) => board.has(params);
const panel = new Panel($("todo"), $("elsewhere"), table, {
  onTap,
  onRange,
  onOutcome,
  onBack,
  isOnBoard,
  onChoice: () => touch.lightUp(),
  cardsOf: (seat) => strip.summary?.players.find((player) => player.seat === seat)?.cards ?? [],
  onCard: (seat, card, title) => touch.onCard(seat, card, title),
  afterwards,
});
const board = new Board($("board"), $("rest", HTMLDetailsElement), {
  onPlace: (place, title, element) => touch.onPlace(place, title, element),
  onSeat,
  onDrawn,
});
const touch = new Touch(page, table, panel, board, { onTap, onOutcome, record, onLit: showStrip, isLocked });
listenToSlides($("board"), {
  onPress: (place) => touch.onPress(place),
  onSlide: (place) => touch.onSlide(place),
  onDrop: (place, below) => touch.onDrop(place, below),
});
const last = new Last(table, board);
const strip = new Strip(
  {
    badges: $("badges"),
    role: $("role"),
    left: $("left"),
    ask: $("ask"),
    gauges: $("gauges"),
    hands: $("hands"),
    piles: $("piles"),
  },
  { onSeat },
);
const timer = new Timer($("timer"), table, { onTap, say: announce });
const bar = new Bar(page, table, outbox, { record, isLocked });
const slips = new SlipSheet($("slip"), $("slip-bar"), table, {
  onExplained: (events) => outbox.explain(table.version, events),
  onAnyway: (note) => outbox.insist(table.version, note),
  onCancel: () => outbox.drop(table.version),
});
const feed = new Feed($("feed"), $("earlier"), { onOpen: (line) => openEvent(table, line, record) });
/** Events that this page has recorded: it need not be told of them. */
const ours = new Set();
/** The version that this page's last event made. */
let madeVersion = 0;
/** The newest version that the stream told of. */
let heard = 0;
/** How the picture is laid out that comes with the answer to the tap that is on its way. */
let layout = "";
/** @type {ReturnType<typeof follow> | null} */
let stream = null;
let isConnected = false;
let isRefused = false;

/** @type {Promise<void> | null} */
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
      const isPassing = error instanceof Unreachable || (error instanceof ProblemError && error.status >= 500);
      if (error instanceof ProblemError && isGone(error.status)) await last.leave();
      if (!isPassing) throw error;
      if (!table.isRead) await showLast();
      setTimeout(refresh, 2000);
      return;
    }
    last.at = 0;
    pastNotes();
    // Buttons that stay as they are are left alone: somebody may be about to tap one.
    if (String(table.version) === page.dataset.version) continue;
    // The set-up itself was taken back.
    if (table.now.phase === "setup") location.reload();
    await show(before);
  }
  listen();
}

/** Show the table as this phone has seen it last, and say so, until the service answers. */
async function showLast() {
  const picture = await last.restore();
  if (table.isRead) await show(table.story.length, picture);
}

/**
 * Show the game as it is known now; the buttons do not wait for the picture.
 * @param {number} before  how much of the story was known
 * @param {string | null} [picture]
 */
async function show(before, picture = null) {
  tellOfOthers(before);
  // What it offers was meant for the table before.
  shutBubble();
  // What can be tapped on the board is no button: that has to be known once before there are any; and a picture that is
  // here stands before they do.
  const isFirst = board.version === 0;
  const drawn = board.draw(table.url, table.version, picture);
  if (isFirst) await drawn;
  panel.refresh();
  renderState();
  touch.lightUp();
  page.dataset.version = String(table.version);
  drawn.then(() => last.keep());
}

function listen() {
  if (stream) return;
  stream = follow(`${table.url}/stream`, {
    after: table.version,
    onEvent: ({ seq }) => noticed(seq),
    // What does not stand any more, and since when.
    onMessage: (_, data) => noticed(/** @type {{version: number}} */ (data).version),
    onState: (state) => {
      if (state === "ended") stream = null;
      isConnected = state !== "waiting" && state !== "refused";
      isRefused = state === "refused";
      // As long as there is no stream, what others do is asked for whenever one is tried.
      if (!isConnected && navigator.onLine) noticed();
      renderState();
    },
  });
}

/** Something was recorded, here or elsewhere; what is ours comes with its answer. @param {number} [version] */
function noticed(version = Number.POSITIVE_INFINITY) {
  if (Number.isFinite(version)) heard = Math.max(heard, version);
  if (version > table.version && (outbox.waiting === 0 || outbox.isOffline)) refresh();
}

/** @param {number} before */
function tellOfOthers(before) {
  if (before === 0) return;
  const lines = table.story.slice(before).filter((line) => !ours.has(line.seq));
  if (lines.length) toast(lines.map((line) => line.sentence).join(" "));
}

// Recording

/** Send `body` after all that waits. @type {Recorder} */
function record(body, label, { offered, isAnyway = false } = {}) {
  outbox.add(body, label, table.version, { offered, isAnyway, foreseen: expected().length + 1 });
}

/** The story as it will be when all that waits is recorded. */
function expected() {
  return foreseen(table.story, outbox.refused ? [] : outbox.taps);
}

/** What the answer to a tap has to bring, so that nothing else need be asked. @param {Tap} tap */
function wanted(tap) {
  layout = board.layout;
  const after = retoldAfter(table.story, tap.body);
  return { include: "actions,story,board", after, layout, changes: "previous" };
}

/** Whether an answer is still to come, and to be shown; but nobody waits long, and what is tapped meanwhile is queued. */
function isBusy() {
  const isShown = table.version >= madeVersion;
  return !outbox.isOffline && !outbox.refused && (outbox.waiting > 0 || !isShown);
}

/** Whether a person has to decide about another tap first; says so. */
function isLocked() {
  if (outbox.refused) toast(say("Decide about the unrecorded tap first."));
  return outbox.refused !== null;
}

/** @param {Entry} entry @param {Element | null} button */
function onTap(entry, button) {
  if (isLocked()) return;
  if (entry.warning) {
    formSheet(say("Did you mean this?"), [h("p", {}, `${entry.label}. ${entry.warning}`)], {
      submit: say("Yes, do it"),
      danger: true,
      onSubmit: () => record(bodyOf(entry), entry.label, { offered: entry.label }),
    });
    return;
  }
  const point = table.isObserved && entry.chance ? entry.chance[0] : null;
  if (point) {
    panel.ask(entry, point, []);
    touch.lightUp();
    return;
  }
  button?.classList.add("is-sent");
  record(bodyOf(entry), entry.label, { offered: entry.label });
}

/** @param {Question} asked @param {Outcome} outcome @param {Element | null} button */
function onOutcome(asked, outcome, button) {
  const bound = asked.isBound ? outbox.refused : null;
  if (!bound && isLocked()) return;
  button?.classList.add("is-sent");
  const outcomes = [...asked.outcomes, outcome.value];
  const label = `${asked.entry.label}: ${outcome.label}`;
  if (bound) outbox.repeat(table.version, { ...bound.body, outcomes }, label);
  else record(bodyOf(asked.entry, outcomes), label, { offered: asked.entry.label });
  // It stays on the screen until its answer is there: the next card of the same draw may be tapped meanwhile.
  if (panel.question && !bound) panel.question.isSent = true;
  else panel.question = null;
  if (outbox.isOffline) panel.back();
}

/** @param {Question} asked */
function onBack(asked) {
  if (asked.isBound) outbox.drop(table.version);
  panel.back();
  touch.lightUp();
}

/** What can be tapped once the game has ended: how it went, and another one by whoever may open it. */
function afterwards() {
  const href = location.pathname.replace(/record$/, "end");
  const end = h("a", { class: "button large block", href }, say("How it went"));
  return [...(page.dataset.opens === undefined ? [] : rematchButtons(table.game)), end];
}

/** @param {LegalRange} range */
function onRange(range) {
  const form = rangeForm(table, range);
  formSheet(`${table.name(range.actor)}: ${table.titleOf(range.type)}`, [form.element], {
    submit: table.titleOf(range.type),
    onSubmit: () => record({ type: range.type, actor: range.actor, params: form.read() }, table.titleOf(range.type)),
  });
}

/** @param {Tap} tap @param {Appended} answer */
function recorded(tap, answer) {
  for (const event of answer.events) ours.add(event.seq);
  madeVersion = answer.version;
  announce(say("Recorded: {what}", { what: tap.label }));
  if (tap.body.type !== "undo") buzz(RECORDED);
  if (panel.question?.isSent) panel.question = null;
  if (panel.isTaken(tap.body)) panel.taken = null;
  const before = table.story.length;
  const isWhole = table.version >= answer.version || table.take(answer);
  if (isWhole && heard <= table.version) show(before, layout === board.layout ? answer.board : null);
  else refresh();
}

/** @param {RefusedTap} tap */
function refused(tap) {
  buzz(DECIDE);
  if (tap.problem.slug === "outcome-required") askRefused();
  // What came before it may have been read already.
  pastNotes();
  refresh();
}

/** What somebody noted meanwhile changes nothing: the tap that came too late for it is made again, at once. */
function pastNotes() {
  const tap = outbox.refused;
  if (!tap) return;
  const meanwhile = table.story.slice(tap.base ?? 0);
  const isOnlyNotes = meanwhile.length > 0 && meanwhile.every((line) => line.type === "annotate");
  if (isOnlyNotes && tap.problem.slug === "version-conflict") outbox.repeat(table.version);
}

/** The tap that was refused needs (another) outcome. */
function askRefused() {
  const tap = outbox.refused;
  const point = tap?.problem.chance;
  if (!tap || !point) return;
  const given = tap.body.outcomes || [];
  panel.ask({ ...tap.body, label: tap.label }, point, given.slice(0, point.position || 0), { isBound: true });
}

/** What a person may decide about the refused tap. */
function answers() {
  return {
    onRepeat: () => outbox.repeat(table.version),
    onDrop: () => outbox.drop(table.version),
    onDropAll: () => outbox.drop(table.version, { all: true }),
    onChoose: askRefused,
    onInstead: adjustInstead,
    onReveal: revealFirst,
  };
}

/** What the refused tap did to the table is entered by hand. */
function adjustInstead() {
  const tap = outbox.refused;
  if (!tap) return;
  outbox.drop(table.version);
  adjustSheet(table, record, { why: `${sentence(tap.label)} ${tap.problem.instead?.event.params.reason ?? ""}` });
}

/** The refused tap depends on what nobody saw: that is said first, the tap then made again. */
async function revealFirst() {
  const points = await unseen(table);
  outbox.drop(table.version);
  revealSheet(table, points, record);
}

/** The picture has come, and with it who holds what. @param {Summary} summary */
function onDrawn(summary) {
  strip.summary = summary;
  feed.colours = new Map(summary.players.map((player) => [player.seat, player.colour]));
  showStrip();
}

function showStrip() {
  if (!table.isRead) return;
  const isOver = Boolean(table.game.outcome);
  const { targets, seat } = board;
  const tap = outbox.refused;
  const sentence = tap && isSlip(tap) ? { text: reasonOf(tap.problem) ?? "", isRefused: true } : panel.sentence;
  strip.render(sentence, { awaiting: table.now.awaiting, targets, seat, isOver });
}

// What is on the screen

function renderState() {
  if (!table.isRead) return;
  bar.render({ isConnected, isRefused, isBusy: isBusy(), lastSeen: last.at, history: history(expected()) });
  const isBound = panel.question?.isBound;
  const meanwhile = table.story.slice(outbox.refused?.base ?? 0).filter((line) => !ours.has(line.seq));
  const slip = isSlip(outbox.refused) ? outbox.refused : null;
  slips.render(slip);
  page.classList.toggle("is-explaining", slip !== null);
  board.ring(ringed(slip));
  showStrip();
  const refusal = isBound || slip ? null : refusedNotice(outbox, outbox.refused ? meanwhile : [], answers());
  renew($("notices"), [lastSeenNotice(last.at), offlineNotice(outbox), refusal].filter(isShown));
  timer.render();
  feed.render(table.story, outbox.taps);
}

/** @param {string} text */
function announce(text) {
  $("said").textContent = text;
}

$("more").addEventListener("click", () => {
  if (table.isRead) openMore(table, record, { isOffline: outbox.isOffline, about: page.dataset });
});

// What is told in the bar can be opened at once.
$("last").addEventListener("click", () => {
  const line = table.isRead ? history(table.story).undo?.line : null;
  if (line) openEvent(table, table.story[line.seq - 1], record);
});

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
window.addEventListener("online", refresh);
catchDoubleClicks(page);
keepClicks(page);
listenToKeys(page);
new Focus(page, board, panel);
stayAwake();

await refresh();
outbox.hurry();
install();
