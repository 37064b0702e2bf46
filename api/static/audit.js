// The audit page: start an audit, follow it, and tell its report as a player would want to hear it.

import { api } from "./api.js";
import { $, h, isShown, messageOf } from "./ui.js";
import { language, say, sayWith } from "./words.js";

const PAUSE = 300; // ms between questions
/** @type {Record<string, [title: string, tone: string]>} */
const HEADINGS = {
  clean: [say("Clean"), "good"],
  findings: [say("Findings"), "sand"],
  broken: [say("Broken"), "bad"],
};
/** What a report's level is called; nothing where it has none. @param {Audit["level"]} level */
function called(level) {
  if (!level) return "";
  const { slips, adjusted } = level;
  return [
    level.broken && say("Broken"),
    level.by_the_rules && say("By the rules"),
    slips > 0 && (slips === 1 ? say("1 slip") : say("{count} slips", { count: slips })),
    adjusted > 0 && (adjusted === 1 ? say("1 change by hand") : say("{count} changes by hand", { count: adjusted })),
    level.begun_mid_game && say("Started mid-game"),
    level.imported > 0 && say("Imported, not witnessed"),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** What the kinds of findings are called, and what they mean to somebody who played. @type {Record<string, [name: string, meaning: string]>} */
const MEANINGS = {
  sequence: [say("sequence"), say("An event is missing or in the wrong place.")],
  chain: [say("chain"), say("An event was changed after it was written.")],
  malformed: [say("malformed"), say("An event cannot be read.")],
  illegal_action: [say("illegal action"), say("The rules did not allow it.")],
  left_out: [say("left out"), say("The table skipped it and continued.")],
  impossible_outcome: [say("impossible outcome"), say("This result is impossible.")],
  missing_outcome: [say("missing outcome"), say("The result is missing.")],
  turn: [say("turn"), say("It is written under the wrong turn.")],
  closing: [say("closing"), say("The game is closed without an ending, or the reverse.")],
  seed: [say("seed"), say("It does not match the seed.")],
  state: [say("state"), say("The table differs from the recorded one.")],
  verdict: [say("verdict"), say("Its stored verdict differs from the rules.")],
  no_ruleset: [say("not checked"), say("The rules of this game are not installed here.")],
  drawn_again: [say("drawn again"), say("A draw was undone and repeated.")],
  adjusted: [say("changed by hand"), say("The table was changed without a move.")],
};

const { api: url, replay } = $("audit").dataset;

async function run() {
  $("again", HTMLButtonElement).disabled = true;
  $("report").replaceChildren();
  $("verdict").className = "card verdict";
  $("progress").hidden = false;
  verdict(say("The record is being replayed…"), say("Every event is played again by the rules."));
  try {
    tell(await followed(await api(`${url}/audits`, { method: "POST" })));
  } catch (error) {
    verdict(say("The audit failed"), messageOf(error), "bad");
  } finally {
    $("progress").hidden = true;
    $("again", HTMLButtonElement).disabled = false;
  }
}

/** The audit, once it is done. @param {Audit} audit */
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

/** @param {string} title @param {string} text @param {string} [tone] */
function verdict(title, text, tone = "") {
  $("verdict").className = `card verdict ${tone}`;
  $("verdict-title").textContent = title;
  $("verdict-text").textContent = text;
}

/** @param {Audit} report */
function tell(report) {
  const [title, tone] = HEADINGS[String(report.verdict)];
  const heading = called(report.level);
  const isProved = !report.level || (report.level.by_the_rules && report.level.imported === 0);
  verdict(heading || title, report.message ?? "", tone === "good" && !isProved ? "sand" : tone);
  $("report").replaceChildren(
    ...[
      notes(report.notes),
      findings(report.findings),
      verdicts(report.events_by_verdict, report.rules_applied),
      listed(say("Corrections"), report.corrections),
      listed(say("Brought in line by hand"), report.adjustments),
      listed(say("By other rules"), report.rules?.differences, report.rules?.message),
      determinism(report.determinism),
      luck(report.luck),
      proof(report),
    ].filter(isShown),
  );
}

/** @param {string[]} texts */
function notes(texts) {
  return (
    texts.length > 0 &&
    h(
      "ul",
      {},
      texts.map((text) => h("li", {}, text)),
    )
  );
}

/** @param {Audit["events_by_verdict"]} all @param {Audit["rules_applied"]} byRule */
function verdicts(all, byRule) {
  if (!all || byRule.length === 0) return null;
  /** @type {["legal" | "illegal" | "unknowable", string][]} */
  const judged = [
    ["legal", say("by the rules")],
    ["illegal", say("against the rules")],
    ["unknowable", say("unknowable")],
  ];
  const seen = judged.filter(([name]) => all[name] > 0);
  return section(
    say("Rule by rule"),
    h("p", {}, seen.map(([name, words]) => `${all[name]} ${words}`).join(", "), "."),
    h(
      "details",
      { class: "card" },
      h("summary", {}, say("How often each rule was played")),
      table(say("Rule by rule"), [say("Rule"), ...seen.map(([, title]) => title)], byRule, (one) => [
        say(one.rule),
        ...seen.map(([name]) => one[name]),
      ]),
    ),
  );
}

/** @param {string} title @param {...Child} content */
function section(title, ...content) {
  return h("section", {}, h("h2", {}, title), content);
}

/** @param {number} seq @param {number} turn */
function eventLink(seq, turn) {
  const where = turn ? say("Event {event}, turn {turn}", { event: seq, turn }) : say("Event {event}", { event: seq });
  return h("a", { href: `${replay}#${seq}`, class: "number" }, where);
}

/** @param {Audit["findings"]} found */
function findings(found) {
  if (found.length === 0) return null;
  return section(
    say("Findings"),
    h(
      "ol",
      { class: "plain findings" },
      found.map(({ seq, turn, kind, rule, message, told, due }) =>
        h(
          "li",
          { class: "card" },
          h(
            "p",
            { class: "row between" },
            eventLink(seq, turn),
            h("span", { class: "chip bad" }, MEANINGS[kind]?.[0] ?? kind),
          ),
          told && h("p", { class: "sentence" }, told),
          message !== told && h("p", { class: told ? null : "sentence" }, sentence(message)),
          due && h("p", {}, due),
          h(
            "p",
            { class: "soft small" },
            MEANINGS[kind] && `${MEANINGS[kind][1]} `,
            sayWith("The rule: {rule}", { rule: h("q", {}, say(rule)) }),
          ),
        ),
      ),
    ),
  );
}

/** @param {string} text */
function sentence(text) {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/**
 * @param {string} title
 * @param {{seq: number, turn: number, message: string, stands?: boolean}[] | undefined} list
 * @param {string} [intro]
 */
function listed(title, list, intro) {
  if (!list || (list.length === 0 && !intro)) return null;
  return section(
    title,
    intro && h("p", {}, intro),
    h(
      "ul",
      { class: "plain corrections" },
      list.map((one) =>
        h(
          "li",
          {},
          eventLink(one.seq, one.turn),
          ": ",
          one.message,
          one.stands === false && [" ", h("span", { class: "chip" }, say("superseded"))],
        ),
      ),
    ),
  );
}

/** @param {Audit["determinism"]} found */
function determinism(found) {
  if (!found || found.recorded === 0) return null;
  const { differences, message } = found;
  return section(
    say("The same table again"),
    h("p", { class: `notice ${differences.length === 0 ? "good" : "bad"}` }, message),
    differences.length > 0 &&
      h(
        "ul",
        {},
        differences.map((one) => h("li", {}, eventLink(one.seq, one.turn))),
      ),
  );
}

/**
 * A table whose first column names the row and whose others are numbers; `cells` makes a row of an item.
 * @template Item
 * @param {string} name
 * @param {string[]} columns
 * @param {Item[]} items
 * @param {(item: Item) => [string, ...(string | number)[]]} cells
 */
function table(name, columns, items, cells) {
  return h(
    "div",
    { class: "table-wrap", tabindex: 0, role: "group", "aria-label": name },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column, index) => h("th", { scope: "col", class: index ? "number" : null }, column)),
        ),
      ),
      h(
        "tbody",
        {},
        items.map((item) => {
          const [first, ...rest] = cells(item);
          return h(
            "tr",
            {},
            h("th", { scope: "row" }, first),
            rest.map((cell) => h("td", { class: "number" }, String(cell))),
          );
        }),
      ),
    ),
  );
}

/** @param {Audit["luck"]} found */
function luck(found) {
  if (!found || found.kinds.length === 0) return null;
  const columns = [say("Result"), say("Count"), say("Expected"), say("Chance of this difference")];
  return section(
    say("Cards and dice"),
    h("p", {}, found.message),
    h(
      "p",
      { class: "soft small" },
      say(
        "Expected: how often a result comes up on average. Chance of this difference: how likely it is that chance alone leads as far from that, given how many results are compared.",
      ),
    ),
    ...found.kinds.map((kind) =>
      h(
        "details",
        { class: "card" },
        h("summary", {}, kind.message),
        table(kind.message, columns, kind.values, (value) => [
          value.label,
          value.count,
          value.expected.toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
          value.adjusted === null ? say("too few to say") : percent(value.adjusted),
        ]),
      ),
    ),
  );
}

/** @param {number} p */
function percent(p) {
  return p < 0.01 ? say("less than 1 %") : `${Math.round(100 * p)} %`;
}

/** @param {Audit} report */
function proof({ head, events }) {
  return section(
    say("Proof"),
    h("p", {}, say("Every event carries the hash of the one before it, so this hash stands for all of them:")),
    h("p", { class: "hash" }, h("code", {}, head)),
    h(
      "p",
      {},
      sayWith(
        "If you note this hash after event {event}, you can check later whether the record was changed: export it and run {command}, which needs no server.",
        { event: String(events), command: h("code", {}, "driftlog verify FILE") },
      ),
    ),
  );
}

$("again", HTMLButtonElement).addEventListener("click", run);
run();
