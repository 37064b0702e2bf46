// Correct a result: tap the right outcome in its usual place, and see the impact before saving.

import { api, dryRun, ProblemError } from "../api.js";
import { $$, h, messageOf } from "../ui.js";
import { say, sentence } from "../words.js";
import { outcomeButtons, question } from "./chance.js";
import { brokenEvents, impactElement, removal, ways } from "./impact.js";
import { reasonOf } from "./notices.js";
import { sheet } from "./sheets.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * Ask for the correct result of an event.
 * @param {Table} table
 * @param {StoryLine} line  of an event with a result
 * @param {Recorder} record
 * @param {HTMLElement} more  the other actions for the event
 * @throws {Error} the service does not answer, or no other result is possible
 */
export async function correctSheet(table, line, record, more) {
  /** @type {NewEvent & {outcomes: Outcome["value"][]}} */
  const event = await api(`${table.url}/events/${line.seq}`);
  const given = event.outcomes;
  const { type, actor, params } = event;
  /** @param {Outcome["value"][]} outcomes @returns {NewEvent} */
  const amend = (outcomes) => ({
    type: "amend",
    actor: null,
    params: { seq: line.seq, event: { type, actor, params, ...(outcomes.length ? { outcomes } : {}) } },
  });
  /** The possible outcomes after the outcomes `before`. @param {Outcome["value"][]} before @returns {Promise<Point>} */
  const pointAfter = async (before) => {
    try {
      await dryRun(`${table.url}/events`, amend(before));
    } catch (error) {
      if (error instanceof ProblemError && error.slug === "outcome-required" && error.problem.chance)
        return error.problem.chance;
      throw error;
    }
    throw new Error(say("No other value is possible."));
  };
  const first = await pointAfter([]);

  const step = h("div", { class: "stack" });
  const opened = sheet(
    say("Event {event}", { event: line.seq }),
    h("p", { class: "quote" }, line.sentence),
    step,
    more,
  );
  /** @param {Point} point @param {Outcome["value"][]} before */
  const ask = (point, before) => {
    const was = given[before.length];
    const answer = h("div", { class: "stack", "aria-live": "polite" });
    /** @param {Outcome} outcome @param {Element} button */
    const onPick = (outcome, button) => {
      for (const one of $$(".outcome", step)) one.removeAttribute("aria-pressed");
      button.setAttribute("aria-pressed", "true");
      const isLast = before.length === given.length - 1;
      if (outcome.value !== was) judge([...before, outcome.value], outcome, answer);
      else if (isLast) answer.replaceChildren(h("p", { class: "notice" }, say("Recorded.")));
      else pointAfter([...before, was]).then((next) => ask(next, [...before, was]), onFailure(answer));
    };
    const buttons = outcomeButtons(
      point,
      onPick,
      /** @type {FaceLayout | undefined} */ (table.ruleset.faces[point.name]),
    );
    step.replaceChildren(h("h3", { tabindex: "-1" }, question(point, table.ruleset)), ...buttons, answer);
    const there = $$("[data-value]", step).find((one) => one.dataset.value === JSON.stringify(was));
    there?.classList.add("was");
    there?.append(h("span", { class: "chip" }, say("was")));
    step.querySelector("h3")?.focus();
  };
  /** @param {Outcome["value"][]} said @param {Outcome} outcome @param {HTMLElement} answer */
  const judge = async (said, outcome, answer) => {
    const outcomes = [...said, ...given.slice(said.length)];
    const was = first.outcomes.find(({ value }) => value === given[said.length - 1]);
    const change = was ? `${was.label} → ${sentence(outcome.label)}` : sentence(outcome.label);
    try {
      const { impact } = await dryRun(`${table.url}/events`, amend(outcomes));
      offer(amend(outcomes), change, impact ?? null, answer);
    } catch (error) {
      const problem = error instanceof ProblemError ? error.problem : null;
      if (problem?.chance && (problem.chance.position ?? 0) >= said.length) ask(problem.chance, said);
      else if (problem?.impact !== undefined) offer(amend(outcomes), change, problem.impact, answer);
      else onFailure(answer)(error);
    }
  };
  /** @param {NewEvent} correction @param {string} change @param {Impact[] | null} impact @param {HTMLElement} answer */
  const offer = (correction, change, impact, answer) => {
    const isLoss = impact === null || brokenEvents(impact).length > 0;
    const sent = isLoss ? { ...correction.params, accept_broken: true } : correction.params;
    /** @param {number[]} removed */
    const send = (removed) => {
      record({ ...correction, params: sent, note: change }, say("Change: {what}", { what: line.sentence }));
      for (const seq of removed) record(removal(seq), say("Remove event {event}", { event: seq }));
      opened.close();
    };
    const keep = () =>
      h("button", { type: "button", class: "button large primary", onclick: () => send([]) }, say("Change it"));
    const leave = h("button", { type: "button", class: "button large", onclick: () => opened.close() }, say("Cancel"));
    answer.replaceChildren(
      impactElement(table, impact, change),
      isLoss ? h("div", { class: "stack" }, ways(impact, send), leave) : h("div", { class: "row even" }, leave, keep()),
    );
    answer.scrollIntoView({ block: "nearest" });
  };
  ask(first, []);
}

/** @param {HTMLElement} answer */
function onFailure(answer) {
  return (/** @type {unknown} */ error) => {
    const said = error instanceof ProblemError ? reasonOf(error.refusal) : messageOf(error);
    answer.replaceChildren(h("p", { class: "notice bad", role: "alert" }, said));
  };
}
