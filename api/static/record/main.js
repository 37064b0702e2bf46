// The record page: a phone in the middle of the table.

import { ProblemError, Unreachable } from "../api.js";
import { isGone } from "../keeping.js";
import { $, buzz, catchDoubleClicks, h, keepClicks, messageOf, toast } from "../ui.js";
import { say } from "../words.js";
import { bodyOf, isRepeated } from "./actions.js";
import { Ahead } from "./ahead.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { shutBubble } from "./bubble.js";
import { Focus } from "./focus.js";
import { history } from "./history.js";
import { Last } from "./last.js";
import { misfit } from "./misfit.js";
import { Outbox } from "./outbox.js";
import { Panel } from "./panel.js";
import { sentenceOf } from "./sentence.js";
import { formSheet } from "./sheets.js";
import { listen as listenToSlides } from "./slide.js";
import { Stream } from "./stream.js";
import { Strip } from "./strip.js";
import { Table } from "./table.js";
import { Touch } from "./touch.js";

/** Vibration lengths, in ms. */
const [RECORDED, NEXT_PLAYER, DECIDE] = [10, [10, 60, 30], [30, 40, 30]];

const page = $("record");
const table = new Table(String(page.dataset.game), {
  first: $("game", HTMLLinkElement).href,
  rules: String(page.dataset.ruleset),
  looks: JSON.parse($("looks").textContent),
});
/** The parts that the page needs only after its first view; null until they are loaded. @type {import("./later.js").Later | null} */
let later = null;
/** @type {Promise<import("./later.js").Later> | null} */
let loading = null;
const outbox = new Outbox(`${table.url}/events`, {
  onChange: renderState,
  onDone: onRecorded,
  onRefused: onRefused,
  wanted: queryOf,
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
  isOnMats: (type) => Boolean(mats?.ranges.some((range) => range.type === type)),
  onChoice: () => touch.lightUp(),
  playerOf: (seat) => strip.summary?.players.find((player) => player.seat === seat),
  placesOf: (entry) => board.placesIn(touch.meant(new Set(), entry)),
  onCard: (seat, card, title) => touch.onCard(seat, card, title),
  endButtons: () => later?.endButtons() ?? [],
});
const board = new Board($("board"), $("rest", HTMLDetailsElement), {
  onPlace: (place, title, element) => mats?.onPlace(place) || touch.onPlace(place, title, element),
  onSeat,
  onReach: (places, touched) => touch.onReach(places, touched),
  onDrawn,
});
const touch = new Touch(page, table, panel, board, { onTap, onOutcome, record, onLit: showStrip, isLocked });
/** The places and meters of a game in which things can be moved anywhere; null without any. @type {import("./mats.js").Mats | null} */
let mats = null;
listenToSlides($("board"), {
  onPress: (place) => touch.onPress(place),
  onSlide: (place) => touch.onSlide(place),
  onDrop: (place, below) => touch.onDrop(place, below),
  onRest: (place) => touch.onRest(place),
});
const last = new Last(table, board);
const ahead = new Ahead(table, outbox, {
  onExpected,
  onQuestion,
  // The service may have another table with the same version.
  onRewind: () => {
    page.dataset.version = "";
    board.drawn.clear();
  },
  onChange: () => {
    if (!ahead.isAhead) last.keep(ahead.log);
    renderState();
  },
  layout: () => board.layout,
});
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
const bar = new Bar(page, table, outbox, { record, isLocked });
const stream = new Stream(table, outbox, { onNews: refresh, onChange: renderState });
/** Events that this page recorded: the stream need not report them. @type {Set<number>} */
const ours = new Set();
/** The version after this page's last event. */
let madeVersion = 0;
/** The layout of the picture requested with the current tap. */
let layout = "";
/** @type {Promise<void> | null} */
let reading = null;
let isStale = false;

/** Load the parts that the page needs only after its first view. A tap that needs them may come earlier. */
function loadLater() {
  loading ??= import("./later.js").then(
    ({ Later }) => {
      later = new Later({
        page,
        table,
        outbox,
        panel,
        board,
        strip,
        ahead,
        last,
        stream,
        ours,
        record,
        isLocked,
        onTap,
        onOpen,
        onChoose: askRefused,
        announce,
      });
      if (table.game?.outcome) panel.render();
      renderState();
      return later;
    },
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/**
 * Open a sheet: sheets need the whole ruleset. If they did not come before the network went, say so.
 * @param {(sheets: import("./later.js").Later["sheets"]) => unknown} open
 */
async function withSheets(open) {
  const loaded = await Promise.all([loadLater(), table.readRules()]).catch((error) => {
    toast(messageOf(error instanceof ProblemError ? error : new Unreachable(error)), { kind: "bad" });
  });
  if (loaded) await open(loaded[0].sheets);
}

/** @param {StoryLine} line */
const onOpen = (line) => withSheets(({ openEvent }) => openEvent(table, line, record));

/** Reload the game; a call during a reload waits for one more reload. */
function refresh() {
  // The answers to the queued taps bring the table of the service.
  if (ahead.isAhead) return Promise.resolve();
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
    let picture = null;
    try {
      picture = await table.refresh(board.layout);
    } catch (error) {
      const isPassing = error instanceof Unreachable || (error instanceof ProblemError && error.status >= 500);
      if (error instanceof ProblemError && isGone(error.status)) await last.leave();
      if (!isPassing) throw error;
      if (!table.isRead) await showLast();
      setTimeout(refresh, 2000);
      return;
    }
    last.at = 0;
    // Unchanged buttons stay: the user may be about to tap one.
    if (String(table.version) === page.dataset.version) continue;
    // The setup was undone.
    if (table.now.phase === "setup") location.reload();
    await show(before, picture);
  }
  later?.follow();
}

/** Show the last table that this phone saw, marked as old, until the service answers. */
async function showLast() {
  const kept = await last.restore();
  if (!kept) return;
  ahead.log = kept.log;
  await show(table.story.length, kept.picture);
}

/**
 * Show the current game; the buttons do not wait for the picture.
 * @param {number} before  the number of story lines shown so far
 * @param {string | null} [picture]
 */
async function show(before, picture = null) {
  tellOfOthers(before);
  // The choices in an open bubble belong to the previous table.
  shutBubble();
  // Actions that can be tapped on the board have no button, so draw the board before the buttons if its picture is here.
  const isFirst = board.version === 0;
  const drawn = board.draw(table.url, table.version, picture);
  if (isFirst) await drawn;
  panel.refresh();
  renderState();
  touch.lightUp();
  page.dataset.version = String(table.version);
  ahead.follow();
  drawn.then(() => ahead.isAhead || last.keep(ahead.log));
  // Load these now, because there may be no network when they are needed. If there is none now, try again.
  for (const further of [loadLater(), table.readRules()]) further.catch(() => {});
}

/** @param {number} before */
function tellOfOthers(before) {
  if (before === 0) return;
  const lines = table.story.slice(before).filter((line) => !ours.has(line.seq));
  if (lines.length) toast(lines.map((line) => line.sentence).join(" "));
}

// Recording

/** Send `body` after all queued taps. @type {Recorder} */
function record(body, label, { offered, isAnyway = false, isNext = false } = {}) {
  const before = outbox.taps.at(-1);
  if (before && !ahead.isComplete && isRepeated(before.body, body)) {
    toast(say("This tap is already waiting to be sent."));
    return;
  }
  outbox.add(body, label, table.version, { offered, isAnyway, isNext, foreseen: ahead.story.length + 1 });
  ahead.follow();
}

/** The query of a tap, so that its answer has everything the page shows. @param {Tap} tap */
function queryOf(tap) {
  layout = board.layout;
  return { include: "actions,story,board", after: ahead.after(tap), layout, changes: "previous" };
}

/** Return true if the page waits for an answer; after a short time it goes on, and queues further taps. */
function isBusy() {
  const isShown = table.version >= madeVersion;
  return !outbox.isOffline && !outbox.refusedTap && (!ahead.isComplete || !isShown);
}

/** Return true, with a message, if the user must decide about a rejected tap first. */
function isLocked() {
  if (!outbox.refusedTap && ahead.stuck) {
    toast(ahead.stuckReason);
    return true;
  }
  if (outbox.refusedTap) toast(say("First decide what to do with the unrecorded tap."));
  return outbox.refusedTap !== null;
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
  const bound = asked.isBound ? outbox.refusedTap : null;
  // A quick tap on a question whose answer is being sent: the next card, or the next die of the same roll.
  const isNext = asked.isSent === true && !outbox.refusedTap;
  if (!bound && !isNext && isLocked()) return;
  button?.classList.add("is-sent");
  const outcomes = [...asked.outcomes, outcome.value];
  const label = `${asked.entry.label}: ${outcome.label}`;
  if (bound) outbox.repeat(table.version, { ...bound.body, outcomes }, label);
  else record(bodyOf(asked.entry, outcomes), label, { offered: asked.entry.label, isNext });
  asked.isSent = true;
  // The question stays until its answer arrives: the next card of the same draw may be tapped meanwhile.
  if (bound) panel.question = null;
  if (outbox.isOffline) panel.back();
}

/** @param {Question} asked */
function onBack(asked) {
  if (asked.isBound) outbox.drop(table.version);
  panel.back();
  touch.lightUp();
}

/** @param {LegalRange} range */
function onRange(range) {
  withSheets(({ rangeForm }) => {
    const [form, title] = [rangeForm(table, range), table.titleOf(range.type)];
    formSheet(`${table.name(range.actor)}: ${title}`, [form.element], {
      submit: title,
      onSubmit: () => record({ type: range.type, actor: range.actor, params: form.read() }, title),
    });
  });
}

/** @param {Tap} tap @param {Appended} answer */
function onRecorded(tap, answer) {
  for (const event of answer.events) ours.add(event.seq);
  if (outbox.dropNext(tap, answer.version))
    toast(say("The action was already complete, so the last tap was not recorded."));
  if (ahead.settle(tap, answer)) {
    if (!ahead.isAhead) last.keep(ahead.log);
    // A page that was loaded without a network has not read the game yet.
    if (last.at || !stream.isOpen || stream.heard > table.version) refresh();
    return;
  }
  madeVersion = answer.version;
  announce(say("Recorded: {what}", { what: tap.label }));
  if (panel.question?.isSent) panel.question = null;
  if (panel.isTaken(tap.body)) panel.taken = null;
  const before = table.story.length;
  const awaited = String(table.now.awaiting);
  const isWhole = table.version >= answer.version || table.take(answer);
  if (tap.body.type !== "undo") buzz(awaited === String(table.now.awaiting) ? RECORDED : NEXT_PLAYER);
  if (isWhole && stream.heard <= table.version) show(before, layout === board.layout ? answer.board : null);
  else refresh();
}

/** Show the table as the service will probably answer. @param {Tap} tap @param {Appended} answer */
function onExpected(tap, answer) {
  if (panel.question?.isSent) panel.question = null;
  if (panel.isTaken(tap.body)) panel.taken = null;
  const before = table.story.length;
  for (const event of answer.events) ours.add(event.seq);
  if (table.take(answer)) show(before, answer.board);
}

/** Ask for the next result of a tap that the page has withdrawn. @param {Tap} tap @param {Point} point */
function onQuestion({ body, label, offered = label }, point) {
  panel.ask({ ...body, label: offered }, point, (body.outcomes ?? []).slice(0, point.position));
  touch.lightUp();
}

/** @param {RefusedTap} tap */
function onRefused(tap) {
  if (tap.problem.slug === "outcome-required" && outbox.joinNext(table.version)) return;
  ahead.rewind();
  buzz(DECIDE);
  if (tap.problem.slug === "outcome-required") askRefused();
  refresh();
}

/** Ask for the missing or corrected outcome of the rejected tap. */
function askRefused() {
  const tap = outbox.refusedTap;
  const point = tap?.problem.chance;
  if (!tap || !point) return;
  const given = tap.body.outcomes || [];
  panel.ask({ ...tap.body, label: tap.label }, point, given.slice(0, point.position || 0), { isBound: true });
  touch.lightUp();
}

/** Show the hands and the passage of the picture that has arrived. @param {Summary} summary */
function onDrawn(summary) {
  strip.summary = summary;
  if (mats) mats.show(summary);
  else if (summary.spots) showMats();
  page.classList.toggle("is-reading", Boolean(summary.passage));
  later?.show(summary);
  showStrip();
}

/** Show the things and places of the current picture. Few games have them, so they are not loaded with the page. */
async function showMats() {
  const { Mats } = await import("./mats.js");
  const { summary } = strip;
  if (mats || !summary) return;
  const onCarry = (/** @type {boolean} */ is) => (is && mats ? board.light(mats.places) : touch.lightUp());
  mats = new Mats(page, table, { record, isLocked, onRange, onCarry });
  mats.show(summary);
  panel.render();
}

function showStrip() {
  if (!table.isRead) return;
  const isOver = Boolean(table.game.outcome);
  const { targets, seat } = board;
  const sentence = later?.refusal ?? sentenceOf(panel);
  const own = page.dataset.seat || null;
  const text = own ? `${say("You are {name}.", { name: table.name(own) })} ${sentence.text}` : sentence.text;
  strip.render({ ...sentence, text }, { awaiting: table.now.awaiting, targets, seat, own, isOver });
}

// Display

function renderState() {
  if (!table.isRead) return;
  const { isConnected, isRefused } = stream;
  bar.render({ isConnected, isRefused, isBusy: isBusy(), lastSeen: last.at, history: history(ahead.story) });
  showStrip();
  later?.render();
}

/** @param {string} text */
function announce(text) {
  $("said").textContent = text;
}

$("more").addEventListener("click", () => {
  const about = page.dataset;
  withSheets(({ openMore }) => table.isRead && openMore(table, record, { isOffline: outbox.isOffline, about }));
});

// A tap on the event in the bar opens it.
$("last").addEventListener("click", () => {
  const line = table.isRead ? history(table.story).undo?.line : null;
  if (line) onOpen(table.story[line.seq - 1]);
});

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
window.addEventListener("online", refresh);
catchDoubleClicks(page);
keepClicks(page);
new Focus(page, board, panel);

refresh().then(() => outbox.hurry());
