// Logged plays: import a file, and report the result for each play.

import { api, waitForJob } from "./api.js";
import { $, h, messageOf } from "./ui.js";
import { marked, say } from "./words.js";

const form = document.querySelector("#take-in");

/** The text for each count. @type {[PlayImportStatus, string][]} */
const WORDS = [
  ["imported", marked("{count} new")],
  ["changed", marked("{count} updated from the file")],
  ["there", marked("{count} already here")],
  ["recorded", marked("{count} already recorded as games")],
  ["taken_out", marked("{count} previously deleted here")],
  ["ignored", marked("{count} marked in the file as excluded from statistics")],
  ["other_game", marked("{count} for games that Driftlog does not know")],
  ["broken", marked("{count} unreadable")],
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
    // A worker imports a long file, so the response is a job.
    show("kind" in answer ? await waitForJob(answer.id) : answer);
  } catch (error) {
    problem.textContent = messageOf(error);
    problem.hidden = false;
  }
  button.disabled = false;
}

/** @param {PlayImportReport} report */
function show(report) {
  const told = WORDS.filter(([status]) => report.counts[status]);
  $("counts").replaceChildren(
    ...told.map(([status, words]) => h("li", {}, say(words, { count: report.counts[status] }))),
  );
  const broken = report.plays.filter((play) => play.status === "broken");
  $("broken").replaceChildren(...broken.map((play) => h("li", { class: "small" }, describeError(play))));
  $("report").hidden = false;
  $("report-title").focus();
}

/** Return the error of a play in words. @param {PlayImportReport["plays"][number]} play */
function describeError({ number, title, why }) {
  return title
    ? say("Logged play {number}, {title}: {why}.", { number, title, why })
    : say("Logged play {number}: {why}.", { number, why });
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  take();
});
