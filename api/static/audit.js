// The audit page: start an audit, follow it, and show the table's events beside those by the rules.

import { api } from "./api.js";
import { cards, marksOf, periodOf, rulebook } from "./audit/cards.js";
import { inWords } from "./audit/counts.js";
import { luck } from "./audit/luck.js";
import { level, pawn, sign } from "./audit/signs.js";
import { fetchProof, sources } from "./audit/sources.js";
import { $, h, isShown, messageOf } from "./ui.js";
import { capitalize, counted, language, say, sayWith } from "./words.js";

const PAUSE = 300; // ms between polls
const AT_FIRST = 5; // findings shown at first
const SHORTEST = 120_000; // ms; events closer together have no times of play, as in a list that was typed in

const { api: url, replay } = /** @type {Record<string, string>} */ ($("audit").dataset);
/** The facts about the game in the template. @type {AuditedGame} */
const game = JSON.parse($("facts").textContent);

async function run() {
  try {
    tell(await pollAudit(await api(`${url}/audits`, { method: "POST" })));
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
async function pollAudit(audit) {
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

/** False if the game's ruleset knows no rules, only components. */
let rulesChecked = true;

/** @param {Audit} report */
function tell(report) {
  rulesChecked = report.level?.rules_checked !== false;
  const marks = marksOf(report);
  const isClean = marks.length === 0 && report.verdict !== "broken";
  headline(title(report, marks), alert(report));
  $("clean").hidden = !isClean || Boolean(report.level?.imported);
  $("verdict").classList.toggle("is-broken", report.verdict === "broken");
  ribbon(report, marks);
  levels(report, marks);
  turnList(report, marks);
  $("report").replaceChildren(
    ...[
      ...findingList(marks),
      isClean && checkList(report),
      houseRules(report.house_rules),
      remarks(report.remarks),
      corrections(report.corrections),
      box("by-rules narrow-only", byTheRules(report)),
      luck(report.luck),
      notes(report),
    ].filter(isShown),
  );
  side(report).catch(() => {});
  watchable(marks);
}

/** Return the title, such as "Won. Two slips, one change by hand." @param {Audit} report @param {Mark[]} marks */
function title(report, marks) {
  const missed = report.findings.find(({ played_until: until }) => until);
  const result =
    missed && !game.isOver
      ? say("Ended in {period}, but play continued", { period: periodOf(missed) })
      : capitalize(game.result);
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
      (byHand === 1 ? say("one change by hand") : say("{count} changes by hand", { count: inWords(byHand) })),
    log > 0 && (log === 1 ? say("one thing to check") : say("{count} things to check", { count: inWords(log) })),
  ].filter(isShown);
  if (parts.length) return `${result}. ${capitalize(parts.join(", "))}.`;
  if (!rulesChecked) return say("{result}. No rules were checked.", { result });
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

/** Draw a cell for each turn or round. @param {Audit} report @param {Mark[]} marks */
function ribbon(report, marks) {
  const periods = report.periods ?? [];
  if (periods.length === 0) return;
  const kinds = kindsByPeriod(marks);
  const played = report.level?.imported ? "imp" : "";
  const cells = [
    ...Array.from({ length: Math.max(0, periods[0].number - 1) }, () => "before"),
    ...periods.map(({ name, is_after_end: isAfter }) => kinds.get(name) ?? (isAfter ? "unknown" : played)),
    ...(report.verdict === "broken" ? ["unknown"] : []),
  ].map((kind) => h("i", { class: kind }));
  const told = [...kinds].map(([period, kind]) =>
    kind === "byhand" ? say("{period}: changed by hand", { period }) : say("{period}: a slip", { period }),
  );
  const legal = rulesChecked ? say("all by the rules") : say("possible with the components");
  const label = `${periods[0].name} – ${periods[periods.length - 1].name}: ${told.join(", ") || legal}`;
  $("ribbon").replaceChildren(
    h("div", { class: "turn-cells", role: "img", "aria-label": capitalize(label) }, cells),
    h(
      "p",
      { class: "scale" },
      h("span", {}, capitalize(periods[0].name)),
      h("span", {}, capitalize(periods[periods.length - 1].name)),
    ),
  );
}

/** @param {Mark[]} marks @returns {Map<string, Mark["kind"]>} */
function kindsByPeriod(marks) {
  /** @type {Map<string, Mark["kind"]>} */
  const kinds = new Map();
  for (const { period, kind } of marks) if (kinds.get(period) !== "slip") kinds.set(period, kind);
  return kinds;
}

/** @param {Audit} report @param {Mark[]} marks */
function levels(report, marks) {
  const found = report.level;
  const kinds = kindsByPeriod(marks);
  const periods = report.periods ?? [];
  const legal = periods.filter(({ name, is_after_end: isAfter }) => !isAfter && !kinds.has(name)).length;
  const turns = periods.some(({ seat }) => seat) ? counted(legal, "turn") : counted(legal, "round");
  const pills = [
    found?.broken && level("bad", "cross", say("Broken")),
    found && found.imported > 0 && level("imp", "intray", say("Imported, not recorded here")),
    legal > 0 &&
      !found?.broken &&
      level(
        "ok",
        "check",
        kinds.size
          ? say("{turns} without a slip", { turns })
          : rulesChecked
            ? say("All {turns} by the rules", { turns })
            : say("All {turns} are possible with the components", { turns }),
      ),
    found && (found.house_rules ?? 0) > 0 && level("imp", "palm", say("Played with house rules")),
    found?.begun_mid_game && level("imp", "flag", say("Started in {period}", { period: periods[0]?.name ?? "" })),
  ].filter(isShown);
  $("levels").replaceChildren(...pills.map((pill) => h("li", {}, pill)));
}

/**
 * List the turns or rounds; consecutive ones without a finding share a row.
 * @param {Audit} report
 * @param {Mark[]} marks
 */
function turnList(report, marks) {
  /** @type {{from: string, to: string, seat: string | null, seq: number, tag: string, kind?: Mark["kind"]}[]} */
  const rows = [];
  const byPeriod = new Map(marks.map((mark) => [mark.period, mark]));
  const legal = rulesChecked ? say("by the rules") : say("possible with the components");
  for (const { name, seat, seq, is_after_end: isAfter } of report.periods ?? []) {
    const mark = byPeriod.get(name);
    const tag = isAfter ? say("after the end") : legal;
    const before = rows.at(-1);
    if (!mark && before && !before.kind && before.tag === tag) before.to = name;
    else rows.push({ from: name, to: name, seat, seq, tag, ...(mark && { kind: mark.kind, seq: mark.seq }) });
  }
  $("turn-list").replaceChildren(
    ...rows.map(({ from, to, seat, seq, tag, kind }) => {
      const name = seat && kind ? game.names[Number(seat.slice(1)) - 1] : "";
      const told = from === to ? from : say("{from} to {to}", { from, to });
      const label = capitalize(name ? `${told}, ${name}` : told);
      const small = kind
        ? sign(kind === "byhand" ? "palm" : kind === "slip" ? "slip" : "question")
        : h("small", {}, tag);
      return h(
        "li",
        { class: kind ?? "" },
        h(
          "a",
          { href: kind ? `#event-${seq}` : `${replay}#${seq}` },
          (kind && pawn(seat)) || sign(tag === legal ? "check" : "question"),
          h("span", {}, label),
          small,
        ),
      );
    }),
  );
}

/** Return the first five findings, and a button that shows the others. @param {Mark[]} marks */
function findingList(marks) {
  const shown = (/** @type {Mark[]} */ ones) => cards(ones, { api: url, replay });
  const rest = marks.slice(AT_FIRST);
  if (rest.length === 0) return shown(marks);
  const more = h(
    "button",
    { type: "button", class: "button more-findings" },
    say("Show {count} more", { count: rest.length }),
  );
  more.addEventListener("click", () => {
    const found = shown(rest);
    more.replaceWith(...found);
    found[0].querySelector("a")?.focus();
  });
  return [...shown(marks.slice(0, AT_FIRST)), more];
}

/** List the house rules, each with the moves that it allowed. @param {Audit["house_rules"]} [found] */
function houseRules(found = []) {
  if (found.length === 0) return null;
  return box("", [
    h("h2", {}, say("House rules of this game")),
    ...found.map(({ text, used, overrides, ...agreed }) => [
      h("p", {}, h("strong", {}, `“${text}”`), " ", link(agreed, `(${periodOf(agreed)})`)),
      overrides &&
        h("p", {}, say("This replaces the printed rule. {rule}", { rule: rulebook({ ...agreed, rule: overrides }) })),
      used.length > 0
        ? h("p", {}, say("The rulebook forbids these moves. They count as legal because of this house rule:"))
        : h("p", {}, say("No action depended on this house rule.")),
      h("ul", { class: "plain" }, used.map(quoteItem)),
    ]),
  ]);
}

/** List the notes that the players wrote. @param {Audit["remarks"]} [found] */
function remarks(found = []) {
  return (
    found.length > 0 &&
    box("", [h("h2", {}, say("Notes of the players")), h("ul", { class: "plain" }, found.map(quoteItem))])
  );
}

/** @param {Quote} quote */
function quoteItem(quote) {
  return h("li", {}, link(quote, capitalize(periodOf(quote))), `: “${quote.message}”`);
}

/** @param {{seq: number}} event @param {string} text */
function link({ seq }, text) {
  return h("a", { href: `${replay}#${seq}` }, text);
}

/** List what else a reader has to know about the record. @param {Audit} report */
function notes(report) {
  const told = [...(report.notes ?? []), report.determinism?.message].filter(isShown);
  return (
    told.length > 0 && box("notes", [h("h2", {}, say("About this record")), ...told.map((text) => h("p", {}, text))])
  );
}

/** List the checks that were made, for a record without findings. @param {Audit} report */
function checkList(report) {
  const isHouse = report.house_rules?.some(({ used }) => used.length > 0);
  const events = counted(report.events, "event");
  const points = [
    isHouse
      ? say("All {events} follow the rules or a house rule.", { events })
      : rulesChecked
        ? say("All {events} follow the rules.", { events })
        : say("All {events} are possible with the components of this game.", { events }),
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
          count: capitalize(inWords(found.length)),
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
        found.map((one) => h("li", {}, link(one, `${names[one.type] ?? one.type}, ${periodOf(one)}`))),
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
  const proof = await fetchProof(url).catch(() => null);
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
