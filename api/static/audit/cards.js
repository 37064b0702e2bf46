// A card for each finding of an audit: player, action, rule, the facts beside those by the rules, and the effects.

import { h } from "../ui.js";
import { capitalize, language, say, sentence } from "../words.js";
import { pieces } from "./pictures.js";
import { level, pawn, sign } from "./signs.js";

const SLIPS = new Set(["illegal_action", "left_out", "impossible_outcome"]);

/** A description of each log fault for players. @type {Record<string, string>} */
const MEANINGS = {
  sequence: say("An event is missing or in the wrong place."),
  chain: say("An event was changed after it was recorded."),
  malformed: say("An event cannot be read."),
  illegal_action: say("The rules did not allow it."),
  missing_outcome: say("A result is missing."),
  impossible_outcome: say("This result is impossible."),
  turn: say("An event has the wrong turn number."),
  closing: say("The record was closed before the game ended, or the game ended and the record was not closed."),
  seed: say("A draw does not match the seed."),
  state: say("The table differs from the recorded one."),
  verdict: say("The log and the rules disagree on whether an event is legal."),
  no_ruleset: say("The rules of this game are not installed here. Ask the operator to install them."),
  drawn_again: say("A draw was undone and repeated."),
  unsound: say("This table is impossible."),
};

/**
 * Return everything that a reader should check, in game order.
 * @param {Audit} report
 * @returns {Mark[]}
 */
export function marksOf(report) {
  const found = report.findings.filter((one) => one.kind !== "adjusted");
  const adjusted = report.adjustments.filter((one) => one.stands && one.changes);
  return [
    ...found.map((finding) => ({
      seq: finding.seq,
      turn: finding.turn,
      period: periodOf(finding),
      kind: /** @type {Mark["kind"]} */ (SLIPS.has(finding.kind) && finding.told ? "slip" : "log"),
      finding,
    })),
    ...adjusted.map((adjustment) => ({
      seq: adjustment.seq,
      turn: adjustment.turn,
      period: periodOf(adjustment),
      kind: /** @type {Mark["kind"]} */ ("byhand"),
      adjustment,
    })),
  ].sort((one, other) => one.seq - other.seq);
}

/** Return the turn or round of an event, such as "turn 3". @param {{turn: number, period?: string | null}} event */
export function periodOf({ turn, period }) {
  return period ?? (turn ? say("turn {turn}", { turn }) : say("before the first turn"));
}

/**
 * Return a section for each turn or round, with a card for each of its marks.
 * @param {Mark[]} marks
 * @param {{api: string, replay: string}} page
 */
export function cards(marks, page) {
  const cut = pieces(page.api);
  const card = (/** @type {Mark} */ mark) => {
    if (mark.adjustment) return adjustmentCard(mark, mark.adjustment, page);
    if (mark.kind === "slip" && mark.finding) return slipCard(mark.finding, page, cut);
    return recordCard(/** @type {Finding} */ (mark.finding), page);
  };
  return [...new Set(marks.map(({ period }) => period))].map((period) =>
    h(
      "section",
      { class: "period" },
      h("h2", {}, capitalize(period)),
      marks.filter((mark) => mark.period === period).map(card),
    ),
  );
}

/** @param {Finding} finding @param {any} page @param {ReturnType<typeof pieces>} cut */
function slipCard(finding, page, cut) {
  const { seq, message, told, due, player, happened = [], expected = [], changed = [] } = finding;
  const error = told ?? message;
  const reason = beyond(error, message);
  // A sentence about an event does not say that it is an error, so the title says it.
  const title = reason && finding.kind !== "left_out" ? say("Not allowed: {told}", { told: error }) : error;
  const isInPlace = !finding.noticed_at || finding.noticed_at.seq === seq;
  return h(
    "article",
    { class: "find slip", id: `event-${seq}` },
    head(player ?? "", level("slip", "slip", say("Slip")), finding.actor),
    h("h3", {}, title.replace(/\.$/, "")),
    h("p", { class: "why" }, reason && `${reason} `, due && `${due} `, rulebook(finding)),
    beside([say("At the table"), say("By the rules")], [happened, expected], (host, index, about) => {
      if (isInPlace) cut(host, index ? seq - 1 : seq, about).catch(() => host.remove());
      else host.remove();
    }),
    changes(changed),
    foot(lateNote(finding), finding, page.replay),
  );
}

/** @param {Mark} mark @param {Adjustment} one @param {any} page */
function adjustmentCard({ seq }, one, page) {
  const { before = [], after = [], changed = [], agreed } = one;
  const who = one.recorded_by;
  const title = who
    ? say("{name} changed the recorded table by hand, to match the real one", { name: who })
    : say("The recorded table was changed by hand, to match the real one");
  const at = one.recorded_at ? say("Set by hand, {time}", { time: timeOf(one.recorded_at) }) : say("Set by hand");
  return h(
    "article",
    { class: "find byhand", id: `event-${seq}` },
    head(who ?? "", level("byhand", "palm", say("Changed by hand"))),
    h("h3", {}, title),
    h(
      "p",
      { class: "why" },
      one.reason ? say("Reason: “{reason}”", { reason: one.reason }) : say("No reason given."),
      agreed.length > 0 && ` ${say("Agreed: {names}.", { names: agreed.join(", ") })}`,
    ),
    beside([say("Before"), say("After")], [before, after], (host) => host.remove()),
    changes(changed),
    foot(at, one, page.replay),
  );
}

/** @param {Finding} finding @param {any} page */
function recordCard(finding, page) {
  const { seq, kind, message, told } = finding;
  return h(
    "article",
    { class: "find log", id: `event-${seq}` },
    head("", level("log", "question", say("Record"))),
    h("h3", {}, MEANINGS[kind] ?? sentence(message)),
    h(
      "p",
      { class: "why" },
      told && `${sentence(told)} `,
      kind in MEANINGS && `${sentence(message)} `,
      rulebook(finding),
    ),
    foot("", finding, page.replay),
  );
}

/** @param {string} name @param {HTMLElement} tag @param {string | null} [seat] */
function head(name, tag, seat) {
  return h("header", {}, pawn(seat), h("strong", {}, name), tag);
}

/**
 * Show two groups of facts beside each other.
 * @param {[string, string]} titles
 * @param {[ShownFact[], ShownFact[]]} sides
 * @param {(host: HTMLElement, index: number, about: string) => void} cut
 */
function beside(titles, sides, cut) {
  if (sides.every((facts) => facts.length === 0)) return null;
  return h(
    "div",
    { class: "beside" },
    titles.map((title, index) => {
      const facts = sides[index];
      const first = facts[0];
      return h(
        "div",
        { class: index ? "second" : "first" },
        first && picture(first, index, cut),
        h(
          "div",
          {},
          h("h4", {}, title),
          facts.length ? facts.map(({ message }) => h("p", {}, message)) : h("p", {}, say("Nothing.")),
        ),
      );
    }),
  );
}

/**
 * @param {ShownFact} fact
 * @param {number} index
 * @param {(host: HTMLElement, index: number, about: string) => void} cut
 */
function picture({ about, number }, index, cut) {
  if (about) {
    const host = h("div", { class: "piece" });
    // Measure the element after it is added, because only elements in the page have a size.
    requestAnimationFrame(() => cut(host, index, about));
    return host;
  }
  return number === null ? null : h("span", { class: "number-tile", "aria-hidden": "true" }, String(number));
}

/** @param {string[]} texts */
function changes(texts) {
  return (
    texts.length > 0 && h("p", { class: "changed" }, h("strong", {}, say("What followed:")), ` ${texts.join(" ")}`)
  );
}

/** @param {string} text @param {Finding | Adjustment} one @param {string} replay */
function foot(text, one, replay) {
  const label = one.turn ? say("Watch {period}", { period: periodOf(one) }) : say("Watch");
  return h(
    "footer",
    {},
    h("span", {}, text),
    h("a", { class: "button quiet", href: `${replay}#${one.seq}` }, sign("play"), label),
  );
}

/** Return the part of a message that its title does not already say. @param {string} title @param {string} message */
function beyond(title, message) {
  if (message.startsWith(title)) return message.slice(title.length).trim();
  return title.includes(message.replace(/\.$/, "")) ? "" : sentence(message);
}

/** Return the heading of a rule, with the rule itself if it is known. @param {{rule: string, rule_text?: string | null}} broken */
export function rulebook({ rule, rule_text: text }) {
  return text ? say("Rule “{rule}”: {text}", { rule: say(rule), text }) : say("Rule: “{rule}”.", { rule: say(rule) });
}

/** @param {Finding} finding */
function lateNote(finding) {
  const at = finding.noticed_at;
  const isLater = at && periodOf(at) !== periodOf(finding);
  return isLater ? say("Noticed in {period}.", { period: periodOf(at) }) : "";
}

/** @param {string} moment  RFC 3339 */
function timeOf(moment) {
  return new Date(moment).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
}
