// The audit page: start an audit, follow it, and show the table's events beside those by the rules.

import { api } from "./api.js";
import { cards, marksOf } from "./audit/cards.js";
import { capital, inWords } from "./audit/counts.js";
import { luck } from "./audit/luck.js";
import { level, pawn, sign } from "./audit/signs.js";
import { signed, sources } from "./audit/sources.js";
import { $, h, isShown, messageOf } from "./ui.js";
import { counted, language, say, sayWith } from "./words.js";

const PAUSE = 300; // ms between polls
const AT_FIRST = 5; // findings shown at first
const SHORTEST = 120_000; // ms; events closer together have no times of play, as in a list that was typed in

const { api: url, replay } = /** @type {Record<string, string>} */ ($("audit").dataset);
/** The facts about the game in the template. @type {AuditedGame} */
const game = JSON.parse($("facts").textContent);

async function run() {
  try {
    tell(await followed(await api(`${url}/audits`, { method: "POST" })));
  } catch (error) {
    headline(say("The audit failed"), messageOf(error));
    $("report").replaceChildren(
      h(
        "p",
        {},
        h("button", { type: "button", class: "button", onclick: () => location.reload() }, say("Audit again")),
      ),
    );
  } finally {
    $("progress").hidden = true;
  }
}

/** Poll an audit until it is done. @param {Audit} audit */
async function followed(audit) {
  /** @type {Audit} */
  let report = audit;
  while (report.status === "queued" || report.status === "running") {
    if (report.progress > 0) $("progress", HTMLProgressElement).value = report.progress;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    report = await api(`${url}/audits/${audit.id}`);
  }
  if (report.status === "failed") throw new Error(report.error || say("The job failed."));
  return report;
}

/** @param {string} title @param {string} [text] */
function headline(title, text = "") {
  $("verdict-title").textContent = title;
  $("verdict-text").textContent = text;
  $("verdict-text").hidden = !text;
}

/** @param {Audit} report */
function tell(report) {
  const marks = marksOf(report);
  const isClean = marks.length === 0 && report.verdict !== "broken";
  headline(title(report, marks), alert(report));
  $("clean").hidden = !isClean || Boolean(report.level?.imported);
  $("verdict").classList.toggle("is-broken", report.verdict === "broken");
  ribbon(report, marks);
  levels(report, marks);
  turnList(marks);
  $("report").replaceChildren(
    ...[
      ...listed(cards(marks, { api: url, replay })),
      isClean && checked(report),
      corrections(report.corrections),
      box("by-rules narrow-only", byTheRules(report)),
      luck(report.luck),
    ].filter(isShown),
  );
  side(report).catch(() => {});
  watchable(marks);
}

/** Return the title, such as "Won. Two slips, one correction by hand." @param {Audit} report @param {Mark[]} marks */
function title(report, marks) {
  const result = capital(game.result);
  const of = (/** @type {string} */ kind) => marks.filter((mark) => mark.kind === kind).length;
  if (report.verdict === "broken") {
    const turn = Math.min(...report.findings.map((one) => one.turn)) || 0;
    return turn ? say("Cannot be checked after turn {turn}.", { turn }) : say("Cannot be checked.");
  }
  const [slips, byHand, log] = [of("slip"), of("byhand"), of("log")];
  if (game.byHand && !slips && !log) return say("{result}, after a change by hand.", { result });
  const parts = [
    slips > 0 && (slips === 1 ? say("one slip") : say("{count} slips", { count: inWords(slips) })),
    byHand > 0 &&
      (byHand === 1 ? say("one correction by hand") : say("{count} corrections by hand", { count: inWords(byHand) })),
    log > 0 && (log === 1 ? say("one thing to check") : say("{count} things to check", { count: inWords(log) })),
  ].filter(isShown);
  if (parts.length) return `${result}. ${capital(parts.join(", "))}.`;
  return game.isOver && !result.includes(" ")
    ? say("{result} by the rules.", { result })
    : say("{result}, by the rules.", { result });
}

/** @param {Audit} report */
function alert(report) {
  if (report.verdict === "broken") return report.message ?? "";
  return game.byHand
    ? say("The result depends on a manual change. Statistics and exports mark the game as “adjusted”.")
    : "";
}

/** Draw a cell for each turn. @param {Audit} report @param {Mark[]} marks */
function ribbon(report, marks) {
  if (game.turns.length === 0) return;
  const [first] = game.turns[0];
  const [last] = /** @type {[number, string | null, number]} */ (game.turns.at(-1));
  const broken =
    report.verdict === "broken" ? Math.min(...report.findings.map((one) => one.turn)) : Number.POSITIVE_INFINITY;
  const kinds = kindsByTurn(marks);
  const isImported = Boolean(report.level?.imported);
  const cells = Array.from({ length: last }, (_, index) => {
    const turn = index + 1;
    const kind = turn < first ? "before" : turn > broken ? "unknown" : (kinds.get(turn) ?? (isImported ? "imp" : ""));
    return h("i", { class: kind });
  });
  const told = [...kinds].map(([turn, kind]) =>
    kind === "byhand" ? say("turn {turn} was corrected by hand", { turn }) : say("turn {turn} has a slip", { turn }),
  );
  const label = `${counted(last, "turn")}: ${told.join(", ") || say("all by the rules")}`;
  $("ribbon").replaceChildren(
    h("div", { class: "turn-cells", role: "img", "aria-label": label }, cells),
    h(
      "p",
      { class: "scale" },
      h("span", {}, say("Turn {turn}", { turn: 1 })),
      h("span", {}, say("Turn {turn}", { turn: last })),
    ),
  );
}

/** @param {Mark[]} marks @returns {Map<number, Mark["kind"]>} */
function kindsByTurn(marks) {
  /** @type {Map<number, Mark["kind"]>} */
  const kinds = new Map();
  for (const { turn, kind } of marks) if (kinds.get(turn) !== "slip") kinds.set(turn, kind);
  return kinds;
}

/** @param {Audit} report @param {Mark[]} marks */
function levels(report, marks) {
  const found = report.level;
  const kinds = kindsByTurn(marks);
  const legal = game.turns.filter(([turn]) => !kinds.has(turn)).length;
  const pills = [
    found?.broken && level("bad", "cross", say("Broken")),
    found && found.imported > 0 && level("imp", "intray", say("Imported, not recorded here")),
    legal > 0 &&
      !found?.broken &&
      level(
        "ok",
        "check",
        kinds.size
          ? say("{turns} without a slip", { turns: counted(legal, "turn") })
          : say("All {turns} by the rules", { turns: counted(legal, "turn") }),
      ),
    found?.begun_mid_game && level("imp", "flag", say("Started on turn {turn}", { turn: game.turns[0]?.[0] ?? 1 })),
  ].filter(isShown);
  $("levels").replaceChildren(...pills.map((pill) => h("li", {}, pill)));
}

/** List the turns; consecutive turns without a finding share a row. @param {Mark[]} marks */
function turnList(marks) {
  /** @type {{from: number, to: number, seat: string | null, first: number, kind?: Mark["kind"], seq?: number}[]} */
  const rows = [];
  const byTurn = new Map(marks.map((mark) => [mark.turn, mark]));
  for (const [turn, seat, first] of game.turns) {
    const mark = byTurn.get(turn);
    const before = rows.at(-1);
    if (!mark && before && !before.kind) before.to = turn;
    else rows.push({ from: turn, to: turn, seat, first, ...(mark && { kind: mark.kind, seq: mark.seq }) });
  }
  $("turn-list").replaceChildren(
    ...rows.map(({ from, to, seat, first, kind, seq }) => {
      const name = seat ? game.names[Number(seat.slice(1)) - 1] : "";
      const told =
        from === to
          ? say("Turn {turn}", { turn: from }) + (kind && name ? `, ${name}` : "")
          : to - from === 1
            ? say("Turns {from} and {to}", { from, to })
            : say("Turns {from} to {to}", { from, to });
      const href = kind ? `#event-${seq}` : `${replay}#${first}`;
      const tag = kind
        ? sign(kind === "byhand" ? "palm" : kind === "slip" ? "slip" : "question")
        : h("small", {}, say("by the rules"));
      return h(
        "li",
        { class: kind ?? "" },
        h("a", { href }, (kind && pawn(seat)) || sign("check"), h("span", {}, told), tag),
      );
    }),
  );
}

/** Return the first five findings, and a button that shows the others. @param {HTMLElement[]} found */
function listed(found) {
  const rest = found.slice(AT_FIRST);
  if (rest.length === 0) return found;
  const more = h(
    "button",
    { type: "button", class: "button more-findings" },
    say("Show {count} more", { count: rest.length }),
  );
  more.addEventListener("click", () => {
    more.replaceWith(...rest);
    rest[0].querySelector("a")?.focus();
  });
  return [...found.slice(0, AT_FIRST), more];
}

/** List the checks that were made, for a record without findings. @param {Audit} report */
function checked(report) {
  const points = [
    say("All {events} follow the rules.", { events: counted(report.events, "event") }),
    game.isObserved ? say("Every card and roll was possible.") : say("Driftlog drew every card and rolled every die."),
    say("Nobody changed the table by hand."),
    !report.level?.imported && say("Every event was recorded here."),
  ].filter(isShown);
  return box("", [
    h("h2", {}, say("What Driftlog checked")),
    h(
      "ul",
      { class: "plain ticks" },
      points.map((point) => h("li", {}, sign("check"), h("span", {}, point))),
    ),
    report.level?.imported
      ? h("p", {}, say("This service did not see the game, so it cannot tell when the log was written."))
      : null,
  ]);
}

/** @param {Audit["corrections"]} found */
function corrections(found) {
  if (found.length === 0) return null;
  /** @type {Record<string, string>} */
  const names = { undo: say("Undone"), amend: say("Corrected"), reveal: say("Filled in") };
  const count =
    found.length === 1
      ? say("One entry was undone or corrected while recording. It does not count as a slip.")
      : say("{count} entries were undone or corrected while recording. They do not count as slips.", {
          count: capital(inWords(found.length)),
        });
  return box("", [
    h("h2", {}, say("Corrections while playing")),
    h("p", {}, count),
    h(
      "details",
      {},
      h("summary", {}, say("Show corrections")),
      h(
        "ul",
        {},
        found.map(({ seq, turn, type }) =>
          h("li", {}, h("a", { href: `${replay}#${seq}` }, `${names[type] ?? type}, ${say("turn {turn}", { turn })}`)),
        ),
      ),
    ),
  ]);
}

/** @param {Audit} report @returns {(Child | Child[])[]} */
function byTheRules(report) {
  const texts = report.by_the_rules ?? [];
  if (texts.length === 0) return [];
  return [
    h("h2", {}, say("The game by the rules")),
    h(
      "ul",
      { class: "plain" },
      texts.map((text) => h("li", {}, text)),
    ),
  ];
}

/** @param {string} kind @param {(Child | Child[])[]} content */
function box(kind, content) {
  return content.length > 0 && h("section", { class: `box ${kind}` }, .../** @type {Child[]} */ (content.flat()));
}

/** Show the column beside the cards on a wide screen. @param {Audit} report */
async function side(report) {
  const proof = await signed(url).catch(() => null);
  $("side").replaceChildren(
    ...[
      box("by-rules", byTheRules(report)),
      proof && sources(proof, game.isObserved),
      h(
        "section",
        { class: "box" },
        h("h2", {}, say("Check later")),
        h(
          "p",
          {},
          sayWith("Keep this fingerprint of the whole record. {command} compares it with an exported file.", {
            command: h("code", {}, "driftlog verify FILE"),
          }),
        ),
        h("p", { class: "hash" }, h("code", {}, report.head ?? "")),
      ),
    ].filter(isShown),
  );
}

/** Make the main button open the first slip, if there is one. @param {Mark[]} marks */
function watchable(marks) {
  if (marks.length === 0) return;
  $("watch", HTMLAnchorElement).href = `${replay}#${marks[0].seq}`;
  const label = $("watch").querySelector("span");
  const slips = marks.filter((mark) => mark.kind === "slip").length;
  if (label && slips) label.textContent = slips === 1 ? say("Replay the slip") : say("Replay the slips");
}

/** Show the date and time in the reader's time zone. */
function when() {
  const { dateTime, dataset } = /** @type {HTMLTimeElement} */ ($("when"));
  if (!dateTime.includes("T")) return;
  const time = (/** @type {string} */ text) =>
    new Date(text).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  const day = new Date(dateTime).toLocaleDateString(language, { dateStyle: "full" });
  const from = time(dateTime);
  const { until } = dataset;
  const isPlayed = until && Date.parse(until) - Date.parse(dateTime) >= SHORTEST;
  if (until && !isPlayed) $("when").textContent = day;
  else if (until && game.isOver)
    $("when").textContent = say("{day}, {from} to {until}", { day, from, until: time(until) });
  else $("when").textContent = `${day}, ${from}`;
}

when();
$("print").addEventListener("click", () => print());
run();
