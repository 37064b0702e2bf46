// Enter a game from paper: read each line, ask about unclear ones, then create the record.

import { api, newKey, ProblemError } from "./api.js";
import { $, h, keep, messageOf, recall, tapListener } from "./ui.js";
import { marked, say } from "./words.js";

const DRAFT = "paper";

const form = $("paper", HTMLFormElement);
const text = $("text", HTMLTextAreaElement);
const game = $("game", HTMLSelectElement);
const make = $("make", HTMLButtonElement);
const problem = $("problem");
const file = $("file", HTMLInputElement);
const type = form.dataset.type;
/** The media type by file extension; any other file is text. @type {Record<string, string>} */
const SHEETS = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

let key = newKey(); // One key per text: a second tap on the button does not create a second record.
/** The last request. @type {Asked | null} */
let readable = null;
/** The open questions of the last response. @type {ReadQuestion[]} */
let questions = [];
/** The chosen sheet, read instead of the text. @type {Asked | null} */
let sheet = null;

function onChange() {
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
    if (sheet && reading.questions.length) {
      // Only a text has lines into which the answers can be written.
      text.value = reading.text;
      onChange();
    }
    show(reading.items);
    ask(reading.questions);
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
  irregular: [say("as played"), "sand"],
  wrong: [say("question"), "bad"],
  unread: [say("not read yet"), ""],
});

/** @param {ReadItem[]} items */
function show(items) {
  $("items").replaceChildren(...items.map(row));
  $("summary").textContent = summary(items);
  $("report").hidden = false;
}

/** Show all questions at once. @param {ReadQuestion[]} open */
function ask(open) {
  questions = open;
  $("questions").hidden = !open.length;
  $("asked").replaceChildren(
    ...open.map((question, index) => {
      const id = `answer-${index}`;
      return h(
        "li",
        {},
        h("label", { for: id }, `${question.line}. ${question.message[0].toUpperCase()}${question.message.slice(1)}`),
        h("p", { class: "soft small" }, question.text),
        h(
          "select",
          { id },
          ...question.answers.map((answer, value) => h("option", { value: `${value}` }, answer.label)),
          h("option", { value: "" }, say("Edit the line")),
        ),
      );
    }),
  );
}

/** Put the chosen answers into the text, last first, so that the positions of the others stay valid. */
function answer() {
  const lines = text.value.split("\n");
  const starts = lines.map((_, index) => lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0));
  let written = text.value;
  for (const [index, question] of [...questions.entries()].reverse()) {
    const chosen = question.answers[Number($(`answer-${index}`, HTMLSelectElement).value || -1)];
    if (!chosen) continue;
    const start = starts[question.line - 1] + question.column - 1;
    written = written.slice(0, start) + chosen.text + written.slice(start + question.text.length);
  }
  text.value = written;
  onChange();
  look();
}

/** @param {ReadItem} item */
function row(item) {
  const [label, kind] = WORDS[item.status];
  const go = tapListener(() => select(item.line));
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
    [count("incomplete"), marked("{count} with unknown results")],
    [count("irregular"), marked("{count} as played")],
    [count("wrong"), marked("{count} open")],
    [count("unread"), marked("{count} not read yet")],
  ];
  return parts
    .filter(([number]) => number)
    .map(([number, what]) => say(what, { count: number }))
    .join(", ");
}

/** Select a line of the text. @param {number} line */
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
    if (error instanceof ProblemError) ask(error.problem.questions ?? []);
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
    onChange();
  }
  look();
}

text.value = recall(DRAFT) ?? "";
file.addEventListener("change", choose);
text.addEventListener("input", onChange);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  look();
});
make.addEventListener("click", record);
$("answer").addEventListener("click", answer);
$("fill").addEventListener("click", () => {
  const blank = game.selectedOptions[0]?.dataset.form ?? "";
  text.value = text.value.trim() ? `${blank}\n${text.value}` : blank;
  onChange();
  select(2);
});
