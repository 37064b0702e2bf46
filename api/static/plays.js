// Past plays: a file of them is taken in, and what became of each is told.

import { api, finished } from "./api.js";
import { $, h, messageOf } from "./ui.js";
import { marked, say } from "./words.js";

const form = document.querySelector("#take-in");

/** What is said of so many. @type {[PlayTakenIn, string][]} */
const WORDS = [
  ["imported", marked("{count} new here")],
  ["changed", marked("{count} here before, and now as the file has them")],
  ["there", marked("{count} here before")],
  ["recorded", marked("{count} recorded here as games")],
  ["taken_out", marked("{count} deleted here before")],
  ["ignored", marked("{count} marked as uncounted")],
  ["other_game", marked("{count} of games that are not played here")],
  ["broken", marked("{count} that cannot be read")],
];

async function take() {
  const chosen = $("file", HTMLInputElement).files?.[0];
  const problem = $("problem");
  problem.hidden = chosen !== undefined;
  problem.textContent = say("Choose a file first.");
  if (!chosen) return;
  const button = $("take", HTMLButtonElement);
  button.disabled = true;
  try {
    const answer = await api("/v1/plays", { body: chosen, type: $("take-in").dataset.type });
    // A long file is a worker's: then the answer is a job.
    show("kind" in answer ? await finished(answer.id) : answer);
  } catch (error) {
    problem.textContent = messageOf(error);
    problem.hidden = false;
  }
  button.disabled = false;
}

/** @param {PlaysTakenIn} report */
function show(report) {
  const told = WORDS.filter(([status]) => report.counts[status]);
  $("counts").replaceChildren(
    ...told.map(([status, words]) => h("li", {}, say(words, { count: report.counts[status] }))),
  );
  const broken = report.plays.filter((play) => play.status === "broken");
  $("broken").replaceChildren(...broken.map((play) => h("li", { class: "small" }, said(play))));
  $("report").hidden = false;
  $("report-title").focus();
}

/** What is wrong with a play. @param {PlaysTakenIn["plays"][number]} play */
function said({ number, title, why }) {
  return title
    ? say("Play {number}, {title}: {why}.", { number, title, why })
    : say("Play {number}: {why}.", { number, why });
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  take();
});
