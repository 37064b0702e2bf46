// The audit page: start an audit, follow it, and tell its report as a player would want to hear it.

import { api } from "./api.js";
import { h } from "./ui.js";

const PAUSE = 300; // ms between questions
const HEADINGS = {
  clean: ["Clean", "good"],
  findings: ["There is something to look at", "sand"],
  broken: ["Broken", "bad"],
};
/** What the kinds of findings mean to somebody who played. */
const MEANINGS = {
  sequence: "An event is missing, or stands in the wrong place.",
  chain: "An event was changed after it was written.",
  malformed: "An event cannot be read.",
  illegal_action: "The rules did not allow it.",
  impossible_outcome: "That cannot have come up.",
  missing_outcome: "It is not said what came up.",
  turn: "It is written under the wrong turn.",
  closing: "The game is closed where it had not ended, or the other way round.",
  seed: "It is not what the seed draws.",
};

const $ = (id) => document.getElementById(id);
const { api: url, replay } = $("audit").dataset;

async function run() {
  $("again").disabled = true;
  $("report").replaceChildren();
  $("verdict").className = "card verdict";
  $("progress").hidden = false;
  say("The record is being replayed…", "Every event is played again by the rules.");
  try {
    tell(await followed(await api(`${url}/audits`, { method: "POST" })));
  } catch (error) {
    say("The audit could not be made", error.message, "bad");
  } finally {
    $("progress").hidden = true;
    $("again").disabled = false;
  }
}

async function followed(audit) {
  let report = audit;
  while (report.status === "queued" || report.status === "running") {
    if (report.progress > 0) $("progress").value = report.progress;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    report = await api(`${url}/audits/${audit.id}`);
  }
  if (report.status === "failed") throw new Error(report.error || "The worker gave up.");
  return report;
}

function say(title, text, tone = "") {
  $("verdict").className = `card verdict ${tone}`;
  $("verdict-title").textContent = title;
  $("verdict-text").textContent = text;
}

function tell(report) {
  const [title, tone] = HEADINGS[report.verdict];
  say(title, summary(report), tone);
  $("report").replaceChildren(
    ...[
      findings(report.findings),
      corrections("Corrections", report.corrections),
      corrections("Adjustments", report.adjustments),
      determinism(report.determinism),
      luck(report.luck),
      proof(report),
    ].filter(Boolean),
  );
}

function summary({ verdict, findings: found, events }) {
  const all = `${events} ${events === 1 ? "event" : "events"}`;
  if (verdict === "clean") {
    return `All ${all} were played again. Each follows from the one before it and from the rules, and none was changed after it was written.`;
  }
  const many = found.length === 1 ? "One thing was found" : `${found.length} things were found`;
  if (verdict === "broken") return `${many} in ${all}, and the record cannot be trusted from the first of them on.`;
  return `${many} in ${all}. The record is whole; what is listed below did not go by the rules.`;
}

function section(title, ...content) {
  return h("section", {}, h("h2", {}, title), ...content);
}

function eventLink(seq, turn) {
  const where = turn ? `Event ${seq}, turn ${turn}` : `Event ${seq}`;
  return h("a", { href: `${replay}#${seq}`, class: "number" }, where);
}

function findings(found) {
  if (found.length === 0) return null;
  return section(
    "Findings",
    h(
      "ol",
      { class: "plain findings" },
      found.map(({ seq, turn, kind, rule, message }) =>
        h(
          "li",
          { class: "card" },
          h("p", { class: "row between" }, eventLink(seq, turn), h("span", { class: "chip bad" }, kind.replaceAll("_", " "))),
          h("p", { class: "sentence" }, sentence(message)),
          h("p", { class: "soft small" }, MEANINGS[kind] && `${MEANINGS[kind]} `, "The rule: ", h("q", {}, rule)),
        ),
      ),
    ),
  );
}

function sentence(text) {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

function corrections(title, list) {
  if (!list || list.length === 0) return null;
  return section(
    title,
    h(
      "ul",
      { class: "plain corrections" },
      list.map((one) =>
        h(
          "li",
          {},
          eventLink(one.seq, one.turn),
          " ",
          h("span", {}, one.message || one.reason || one.type || ""),
          one.agreed && one.agreed.length > 0 && h("span", { class: "soft" }, ` Agreed by ${one.agreed.join(", ")}.`),
        ),
      ),
    ),
  );
}

function determinism(found) {
  if (!found) return null;
  const isSame = !found.differences || found.differences.length === 0;
  const checked = found.checked ?? found.states;
  return section(
    "The same table again",
    h(
      "p",
      { class: isSame ? "notice good" : "notice bad" },
      found.message ||
        (isSame
          ? `At ${checked} points the table was noted when the record was written; replayed now, it is the same at each.`
          : "Replayed now, the table is not what it was when the record was written."),
    ),
    !isSame && h("ul", {}, found.differences.map((one) => h("li", {}, eventLink(one.seq, one.turn)))),
  );
}

function luck(found) {
  if (!found) return null;
  return section(
    "Cards and dice",
    h("p", {}, found.message),
    ...found.kinds.map((kind) =>
      h(
        "details",
        { class: "card" },
        h("summary", {}, `${title(kind.name)}: ${kind.message}`),
        h(
          "div",
          { class: "table-wrap", tabindex: 0, role: "region", "aria-label": title(kind.name) },
          h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ...["What came up", "Times", "To be expected", "By chance"].map((name, column) => h("th", { scope: "col", class: column ? "number" : null }, name)))),
            h("tbody", {}, kind.values.map((value) =>
              h("tr", {},
                h("th", { scope: "row" }, value.label),
                h("td", { class: "number" }, String(value.count)),
                h("td", { class: "number" }, value.expected.toFixed(1)),
                h("td", { class: "number" }, value.adjusted === null ? "too few to say" : percent(value.adjusted)),
              ),
            )),
          ),
        ),
      ),
    ),
  );
}

function title(name) {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function percent(p) {
  return p < 0.01 ? "less than 1 %" : `${Math.round(100 * p)} %`;
}

function proof({ head, events, proof: given }) {
  return section(
    "Proof",
    h("p", {}, "Every event carries the hash of the one before it, so this hash stands for all of them:"),
    h("p", { class: "hash" }, h("code", {}, head)),
    h(
      "p",
      {},
      `Who noted it down after event ${events} can tell at any time whether something in the record was changed: take the record away and check it with `,
      h("code", {}, "driftlog verify FILE"),
      ", which needs no server.",
    ),
    given && given.key && h("p", {}, "It is signed with the key ", h("code", {}, given.key), "."),
  );
}

$("again").addEventListener("click", run);
run();
