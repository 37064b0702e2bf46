// The record page: a phone in the middle of the table.

import { ProblemError, Unreachable } from "../api.js";
import { stayAwake } from "../awake.js";
import { install, isGone } from "../keeping.js";
import { follow } from "../live.js";
import { $, buzz, catchDoubleClicks, h, isShown, toast } from "../ui.js";
import { bodyOf } from "./actions.js";
import { adjustSheet } from "./adjust.js";
import { amendSheet } from "./amend.js";
import { Board, isMeant, placesOf } from "./board.js";
import { bubble, MOST_IN_BUBBLE, shutBubble } from "./bubble.js";
import { Feed } from "./feed.js";
import { actionFields, rangeForm } from "./freely.js";
import { foreseen, history, retoldAfter } from "./history.js";
import { inviteSheet } from "./invite.js";
import { Last } from "./last.js";
import { misfit } from "./misfit.js";
import { abandonSheet, noteSheet } from "./notes.js";
import { lastSeenNotice, offlineNotice, refusedNotice } from "./notices.js";
import { Outbox } from "./outbox.js";
import { Panel } from "./panel.js";
import { rematchButtons } from "./rematch.js";
import { formSheet, menu } from "./sheets.js";
import { Strip } from "./strip.js";
import { Table, words } from "./table.js";
import { Timer } from "./timer.js";
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
const isOnBoard = (/** @type {unknown} */ params) => board.has(params);
const panel = new Panel($("todo"), $("elsewhere"), table, {
  onTap,
  onRange,
  onOutcome,
  onBack,
  isOnBoard,
  onChoice: lightUp,
  afterwards,
});
const board = new Board($("board"), $("rest", HTMLDetailsElement), { onPlace, onSeat, onDrawn });
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
const timer = new Timer($("timer"), table, { onTap, say });
const feed = new Feed($("feed"), $("earlier"), { onOpen: openEvent });
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

// Reading

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
  lightUp();
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
function record(body, label, offered) {
  outbox.add(body, label, table.version, { offered, foreseen: expected().length + 1 });
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
  if (outbox.refused) toast("First decide about the tap that was not recorded.");
  return outbox.refused !== null;
}

/** @param {Entry} entry @param {Element | null} button */
function onTap(entry, button) {
  if (isLocked()) return;
  if (entry.params.confirmed) {
    formSheet("Is this meant?", [h("p", {}, `${entry.label}.`)], {
      submit: "Yes, do it",
      danger: true,
      onSubmit: () => record(bodyOf(entry), entry.label, entry.label),
    });
    return;
  }
  const point = table.isObserved && entry.chance ? entry.chance[0] : null;
  if (point) {
    panel.ask(entry, point, []);
    lightUp();
    return;
  }
  button?.classList.add("is-sent");
  record(bodyOf(entry), entry.label, entry.label);
}

/** @param {Question} asked @param {Outcome} outcome @param {Element | null} button */
function onOutcome(asked, outcome, button) {
  const bound = asked.isBound ? outbox.refused : null;
  if (!bound && isLocked()) return;
  button?.classList.add("is-sent");
  const outcomes = [...asked.outcomes, outcome.value];
  const label = `${asked.entry.label}: ${outcome.label}`;
  if (bound) outbox.repeat(table.version, { ...bound.body, outcomes }, label);
  else record(bodyOf(asked.entry, outcomes), label, asked.entry.label);
  // It stays on the screen until its answer is there: the next card of the same draw may be tapped meanwhile.
  if (panel.question && !bound) panel.question.isSent = true;
  else panel.question = null;
  if (outbox.isOffline) panel.back();
}

/** @param {Question} asked */
function onBack(asked) {
  if (asked.isBound) outbox.drop(table.version);
  panel.back();
  lightUp();
}

/** What can be tapped once the game has ended: how it went, and another one by whoever may open it. */
function afterwards() {
  const href = location.pathname.replace(/record$/, "end");
  const end = h("a", { class: "button large block", href }, "How it went");
  return [...(page.dataset.opens === undefined ? [] : rematchButtons(table.game)), end];
}

/** @param {LegalRange} range */
function onRange(range) {
  const form = rangeForm(table, range);
  formSheet(`${table.name(range.actor)}: ${words(range.type)}`, [form.element], {
    submit: words(range.type),
    onSubmit: () => record({ type: range.type, actor: range.actor, params: form.read() }, words(range.type)),
  });
}

/** @param {Tap} tap @param {Appended} answer */
function recorded(tap, answer) {
  for (const event of answer.events) ours.add(event.seq);
  madeVersion = answer.version;
  say(`Recorded: ${tap.label}`);
  if (tap.body.type !== "undo") buzz(RECORDED);
  if (panel.question?.isSent) panel.question = null;
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

/** What the refused tap did to the table is entered by hand. */
function adjustInstead() {
  const tap = outbox.refused;
  if (!tap) return;
  outbox.drop(table.version);
  adjustSheet(table, record, { why: `${tap.label}. ${tap.problem.instead?.event.params.reason ?? ""}` });
}

/** The refused tap depends on what nobody saw: that is said first, the tap then made again. */
async function revealFirst() {
  const points = await unseen(table);
  outbox.drop(table.version);
  revealSheet(table, points, record);
}

// The board

function lightUp() {
  if (!table.isRead) return;
  const asked = panel.asked;
  const targets = asked
    ? new Set(asked.point.outcomes.map((outcome) => String(outcome.value)))
    : panel.entries.reduce(meant, new Set());
  if (panel.seat) targets.delete(panel.seat);
  if (table.game.outcome) targets.clear();
  // A draw takes height from the board, instead of covering it: nothing on it is tapped meanwhile.
  page.classList.toggle("is-asking", Boolean(asked) && ![...targets].some((place) => board.places.has(place)));
  board.meaning = meaning;
  board.light(targets, panel.seat);
  showStrip();
}

/** What an action lights: its places, or the pawn of whom it takes along. @param {Set<string>} found @param {Entry} entry */
function meant(found, entry) {
  const companion = panel.seat || panel.taken ? null : panel.companion(entry);
  return companion ? found.add(companion) : placesOf(entry.params, found);
}

/** What a tap on a place does, in signs and in words. @param {string} place */
function meaning(place) {
  if (panel.asked) return { symbols: [], told: "" };
  const entries = panel.entries.filter((entry) => isMeant(place, meant(new Set(), entry)));
  const types = [...new Set(entries.map((entry) => entry.type))];
  const symbols = types.map((type) => panel.kindOf(type)?.symbol).filter(isShown);
  return { symbols, told: types.map((type) => words(type).toLowerCase()).join(" or ") };
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
  strip.render(panel.sentence, { awaiting: table.now.awaiting, targets, seat, isOver });
}

/**
 * A pawn, or a player's hand: it is chosen, to see what it may do; or it is what the chosen one acts on; or the tile
 * below it is meant.
 * @param {string} seat
 * @param {HTMLElement | null} [tile]  a tile below it that can be tapped
 */
function onSeat(seat, tile = null) {
  if (!table.isRead || table.game.outcome) return;
  const isTarget = board.targets.has(seat);
  const isTakenAlong = !panel.seat && panel.entries.some((entry) => panel.companion(entry) === seat);
  const place = tile?.dataset.place;
  if (tile && place) {
    const isBoth = isTarget && !panel.asked;
    const along = isTakenAlong
      ? [{ label: `With ${table.name(seat)} …`, symbol: "pawn", run: () => panel.choose(seat) }]
      : [];
    onPlace(
      place,
      tile.querySelector("title")?.textContent ?? place,
      tile,
      isBoth ? [...(isTakenAlong ? [] : itemsAt(seat)), ...along] : [],
    );
    return;
  }
  const mayAct =
    isTakenAlong || [...table.now.actions, ...(table.now.possible || [])].some((entry) => entry.actor === seat);
  if (panel.asked || (isTarget && (panel.seat || !mayAct))) onPlace(seat, table.name(seat));
  else panel.choose(panel.seat === seat || !mayAct ? null : seat);
}

/** What a tap on a place may mean. @param {string} place */
function itemsAt(place) {
  return panel.entries
    .filter((entry) => isMeant(place, meant(new Set(), entry)))
    .map((entry) => ({
      label: entry.label,
      symbol: panel.kindOf(entry.type)?.symbol,
      run: () => onTap(entry, null),
    }));
}

/**
 * @param {string} place
 * @param {string} title
 * @param {Element} [element]
 * @param {ReturnType<typeof itemsAt>} [besides]  what else may be meant
 */
function onPlace(place, title, element, besides = []) {
  if (!table.isRead || table.game.outcome || isLocked()) return;
  const asked = panel.asked;
  if (asked) {
    const outcome = asked.point.outcomes.find((one) => String(one.value) === place);
    if (outcome) onOutcome(asked, outcome, null);
    return;
  }
  const items = [...itemsAt(place), ...besides];
  if (items.length === 0) toast(`Nothing to be done there: ${title}`);
  else if (items.length === 1) items[0].run();
  else if (element && items.length <= MOST_IN_BUBBLE) bubble(title, element, items);
  else
    menu(
      title,
      items.map(({ label, run }) => [label, run]),
    );
}

// What is on the screen

function renderState() {
  if (!table.isRead) return;
  const { undo, redo } = history(expected());
  const { turn, phase, awaiting } = table.now;
  const isOver = Boolean(table.game.outcome);
  // It is not always whose turn it is that is awaited.
  const whose = table.story.findLast((line) => line.turn === turn)?.seat;
  const by = whose && awaiting.length && !awaiting.includes(whose) ? ` of ${table.name(whose)}` : "";
  $("when").textContent = isOver ? `After turn ${turn}` : `Turn ${turn}${by} · ${words(phase)}`;
  $("whose").textContent = isOver ? "The game has ended" : table.names(awaiting);
  const link = isConnected ? "Live" : isRefused ? "Not let in any more" : "Connecting …";
  const state = outbox.isOffline ? "Offline" : outbox.waiting ? "Sending …" : link;
  $("link").textContent = state;
  $("link").className = `chip ${outbox.isOffline || !isConnected ? "sand" : "good"}`;
  $("todo").setAttribute("aria-busy", String(isBusy()));
  const meanwhile = outbox.refused
    ? table.story.slice(outbox.refused.base ?? 0).filter((line) => !ours.has(line.seq))
    : [];
  const refusal = panel.question?.isBound
    ? null
    : refusedNotice(outbox, meanwhile, {
        onRepeat: () => outbox.repeat(table.version),
        onLeftOut: (isLeftOut) => outbox.explain(table.version, isLeftOut),
        onDrop: () => outbox.drop(table.version),
        onDropAll: () => outbox.drop(table.version, { all: true }),
        onChoose: askRefused,
        onInstead: adjustInstead,
        onReveal: revealFirst,
      });
  $("notices").replaceChildren(...[lastSeenNotice(last.at), offlineNotice(outbox), refusal].filter(isShown));
  page.classList.toggle("is-last", last.at > 0);
  $("last").textContent = undo ? undo.line.sentence : "";
  $("last").classList.toggle("is-sending", outbox.waiting > 0);
  tapOnce($("undo"), undo, "Undo");
  tapOnce($("redo"), redo, "Redo");
  $("redo").hidden = !redo;
  timer.render();
  feed.render(table.story, outbox.taps);
}

/**
 * Undo and redo: one tap, and what it is about is told with the button.
 * @param {HTMLElement} button
 * @param {import("./history.js").Step | null} step
 * @param {string} label
 */
function tapOnce(button, step, label) {
  button.setAttribute("aria-disabled", String(!step));
  button.setAttribute("aria-label", step ? `${label}: ${step.line.sentence}` : label);
  button.onclick = () => {
    if (step && !isLocked())
      record({ type: "undo", actor: null, params: { to: step.to } }, `${label}: ${step.line.sentence}`);
  };
}

/** @param {string} text */
function say(text) {
  $("said").textContent = text;
}

// Sheets

/** @param {StoryLine} line */
async function openEvent(line) {
  const points = (await unseen(table)).filter((point) => point.seq === line.seq);
  const isAction =
    !["game_opened", "set_up", "game_closed", "undo"].includes(line.type) && !line.is_undone && !line.superseded_by;
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
  if (!table.isRead) return;
  const points = await unseen(table);
  const last = table.story.findLast((line) => !line.is_undone) ?? table.story[0];
  const isOver = Boolean(table.game.outcome);
  const opened = menu("More", [
    ["Note, mark or bookmark", () => noteSheet(last, record)],
    points.length > 0 && ["Say what nobody saw", () => revealSheet(table, points, record)],
    !isOver && table.game.mode === "as_played" && ["It happened anyway", anyway],
    !isOver && table.game.mode !== "as_played" && outbox.isOffline && ["Another action", anyway],
    !isOver && ["Put the table right", () => adjustSheet(table, record)],
    Boolean(page.dataset.role) && ["Invite", () => inviteSheet(table.game, page.dataset)],
    !isOver && ["Stop the game", () => abandonSheet(record), "danger"],
  ]);
  opened.body.append(
    h(
      "div",
      { class: "buttons" },
      [...$("elsewhere").children].map((link) => link.cloneNode(true)),
    ),
  );
});

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
window.addEventListener("online", refresh);
catchDoubleClicks(page);
stayAwake();

await refresh();
outbox.hurry();
install();
