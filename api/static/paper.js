// A game written on paper, typed in: read line by line, and made a record once nothing in it is wrong.

import { api, newKey, ProblemError } from "./api.js";
import { $, h, keep, kept, messageOf, tapped } from "./ui.js";
import { marked, say } from "./words.js";

const DRAFT = "paper";

const form = $("paper", HTMLFormElement);
const text = $("text", HTMLTextAreaElement);
const game = $("game", HTMLSelectElement);
const make = $("make", HTMLButtonElement);
const problem = $("problem");
const file = $("file", HTMLInputElement);
const type = form.dataset.type;
/** What a file is, by how its name ends; any other is a text. @type {Record<string, string>} */
const SHEETS = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

let key = newKey(); // One for each text: a second tap on the button makes no second record.
/** What was read last, whole. @type {Asked | null} */
let readable = null;
/** A sheet that was chosen: it is read in place of the text. @type {Asked | null} */
let sheet = null;

function changed() {
  keep(DRAFT, text.value || null);
  sheet = null;
  file.value = "";
  unread();
}

function unread() {
  key = newKey();
  readable = null;
  make.disabled = true;
}

/** @param {unknown} error */
function fail(error) {
  problem.textContent = messageOf(error);
  problem.hidden = false;
}

async function look() {
  const asked = key;
  const written = sheet ?? { body: text.value, type };
  problem.hidden = true;
  try {
    const reading = await api("/v1/readings", written);
    if (key !== asked) return;
    show(reading.items);
    readable = reading.is_whole ? written : null;
    make.disabled = !reading.is_whole;
    $("report-title").focus();
  } catch (error) {
    $("report").hidden = true;
    fail(error);
  }
}

const WORDS = /** @type {const} */ ({
  understood: ["", ""],
  incomplete: [say("not known"), "sand"],
  irregular: [say("as it was played"), "sand"],
  wrong: [say("to mend"), "bad"],
  unread: [say("not looked at yet"), ""],
});

/** @param {ReadItem[]} items */
function show(items) {
  $("items").replaceChildren(...items.map(row));
  $("summary").textContent = summary(items);
  $("report").hidden = false;
}

/** @param {ReadItem} item */
function row(item) {
  const [label, kind] = WORDS[item.status];
  const go = tapped(() => select(item.line));
  return h(
    "li",
    { class: item.status },
    h(
      "button",
      {
        type: "button",
        class: "button quiet line",
        onclick: go,
        "aria-label": say("Go to line {line}", { line: item.line }),
      },
      `${item.line}`,
    ),
    h(
      "div",
      {},
      item.said && h("p", { class: "said" }, item.said),
      h("p", { class: item.said ? "soft small" : "" }, item.text),
      item.problem && h("p", { class: "trouble" }, `${item.problem[0].toUpperCase()}${item.problem.slice(1)}`),
      label && h("span", { class: `chip ${kind}` }, label),
    ),
  );
}

/** @param {ReadItem[]} items */
function summary(items) {
  /** @param {string} status */
  const count = (status) => items.filter((item) => item.status === status).length;
  /** @type {[number, string][]} */
  const parts = [
    [count("understood"), marked("{count} understood")],
    [count("incomplete"), marked("{count} with unknowns")],
    [count("irregular"), marked("{count} as it was played")],
    [count("wrong"), marked("{count} to mend")],
    [count("unread"), marked("{count} not looked at yet")],
  ];
  return parts
    .filter(([number]) => number)
    .map(([number, what]) => say(what, { count: number }))
    .join(", ");
}

/** Go to a line of the text; the rows of a sheet are elsewhere. @param {number} line */
function select(line) {
  if (sheet) return;
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
  text.scrollTop = (text.scrollHeight / lines.length) * Math.max(line - 4, 0);
}

async function record() {
  if (readable === null) return;
  make.disabled = true;
  problem.hidden = true;
  try {
    const made = await api("/v1/imports", { ...readable, key });
    if (!sheet) keep(DRAFT, null);
    location.assign(made.outcome === null ? `/games/${made.id}/record` : `/games/${made.id}`);
  } catch (error) {
    make.disabled = false;
    if (error instanceof ProblemError && error.problem.items) show(error.problem.items);
    fail(error);
  }
}

async function choose() {
  const chosen = file.files?.[0];
  if (!chosen) return;
  const kind = SHEETS[chosen.name.slice(chosen.name.lastIndexOf(".") + 1).toLowerCase()];
  if (kind) {
    unread();
    sheet = { body: chosen, type: kind };
  } else {
    text.value = await chosen.text();
    changed();
  }
  look();
}

text.value = kept(DRAFT) ?? "";
file.addEventListener("change", choose);
text.addEventListener("input", changed);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  look();
});
make.addEventListener("click", record);
$("fill").addEventListener("click", () => {
  const blank = game.selectedOptions[0]?.dataset.form ?? "";
  text.value = text.value.trim() ? `${blank}\n${text.value}` : blank;
  changed();
  select(2);
});
