// Amend an event: change it, remove it, or insert one before it, after showing the impact on later events.

import { api, dryRun, ProblemError, Unreachable } from "../api.js";
import { h, isShown, messageOf } from "../ui.js";
import { say } from "../words.js";
import { bodyOf, groupActions, groupElement } from "./actions.js";
import { outcomeButtons, question } from "./chance.js";
import { actionFields } from "./freely.js";
import { impactElement, removal, ways } from "./impact.js";
import { reasonOf } from "./notices.js";
import { sheet } from "./sheets.js";

const TITLES = { event: say("Change"), insert: say("Insert before"), remove: say("Remove") };
const SUBMITS = { event: say("Change it"), insert: say("Insert"), remove: say("Remove") };

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./actions.js").Deed} Deed */
/** @typedef {(deed: Deed | null, outcomes: Outcome["value"][], said?: string) => Promise<void>} Judge */

/**
 * @param {Table} table
 * @param {StoryLine} line
 * @param {"event" | "insert" | "remove"} way
 * @param {Recorder} record
 */
export async function amendSheet(table, line, way, record) {
  const step = h("div", { class: "step" });
  const opened = sheet(TITLES[way], h("p", { class: "quote" }, line.sentence), step);
  /** @param {...(Child | Child[])} children */
  const show = (...children) => {
    step.replaceChildren(...children.flat().filter(isShown));
    (step.querySelector("h3") ?? step).focus();
  };
  /** @param {Deed | null} deed @param {Outcome["value"][]} outcomes @returns {NewEvent} */
  const body = (deed, outcomes) => {
    const change = deed === null ? { remove: true } : { [way]: bodyOf(deed, outcomes) };
    return { type: "amend", actor: null, params: { seq: line.seq, ...change } };
  };
  /** @type {Judge} */
  const judge = async (deed, outcomes, said) => {
    try {
      const answer = await dryRun(`${table.url}/events`, body(deed, outcomes));
      confirm(deed, outcomes, answer.impact ?? null, null, said);
    } catch (error) {
      if (error instanceof Unreachable && deed === null) confirm(deed, outcomes, undefined, null, said);
      else if (!(error instanceof ProblemError)) show(failure(error), way !== "remove" && back());
      else if (error.slug === "outcome-required" && error.problem.chance)
        ask(deed, outcomes, error.problem.chance, said);
      else if (error.problem.impact !== undefined) confirm(deed, outcomes, error.problem.impact, error, said);
      else show(failure(error), way !== "remove" && back());
    }
  };
  /** @param {Deed | null} deed @param {Outcome["value"][]} outcomes @param {Point} point @param {string} [said] */
  const ask = (deed, outcomes, point, said) => {
    /** @param {Outcome} outcome */
    const onPick = (outcome) => judge(deed, [...outcomes, outcome.value], `${said}: ${outcome.label}`);
    show(heading(question(point, table.ruleset)), outcomeButtons(point, onPick), back());
  };
  /**
   * @param {Deed | null} deed
   * @param {Outcome["value"][]} outcomes
   * @param {Impact[] | null | undefined} impact  undefined if the service does not answer: it judges the change later
   * @param {ProblemError | null} problem
   * @param {string} [said]
   */
  const confirm = (deed, outcomes, impact, problem, said) => {
    const skipped = problem?.problem.explanations?.[0];
    // The note describes the correction in words.
    const correction = body(deed, outcomes);
    const params = problem ? { ...correction.params, accept_broken: true } : correction.params;
    const sent = { ...correction, params, ...(said ? { note: said } : {}) };
    /** @param {number[]} removed */
    const send = (removed) => {
      const events = /** @type {NewEvent[]} */ (removed.length === 0 && skipped ? skipped.events : [sent]);
      for (const event of events) record(event, `${TITLES[way]}: ${line.sentence}`);
      for (const seq of removed) record(removal(seq), say("Remove event {event}", { event: seq }));
      opened.close();
    };
    show(
      heading(say("Impact on later events")),
      impact === undefined
        ? h("p", { class: "notice" }, say("Without a network, the effects on later events are not known yet."))
        : impactElement(table, impact),
      problem
        ? ways(impact ?? null, send, skipped)
        : h("button", { type: "button", class: "button large block primary", onclick: () => send([]) }, SUBMITS[way]),
      way !== "remove" && back(),
    );
  };
  const back = () =>
    h(
      "button",
      { type: "button", class: "button block", onclick: () => choose().catch((error) => show(failure(error))) },
      say("Back"),
    );
  const choose = async () => {
    const given = way === "event" ? await api(`${table.url}/events/${line.seq}`) : { actor: line.actor };
    const then = await api(`${table.url}/actions`, { query: { until: line.seq - 1 } });
    const { awaited, others } = groupActions(then, table.ruleset.sections);
    /** @param {Entry} entry */
    const onTap = (entry) => judge(entry, [], entry.label);
    show(
      heading(way === "event" ? say("Correct result") : say("Which action is missing before this?")),
      ...awaited.map((group) => groupElement(group, { who: null, onTap, onRange: () => {} })),
      ...others.map((group) => groupElement(group, { who: table.name(group.actor), onTap, onRange: () => {} })),
      freely(table, given, judge),
    );
  };
  if (way === "remove") await judge(null, []);
  else await choose().catch((error) => show(failure(error)));
}

/** @param {string} text */
function heading(text) {
  return h("h3", { tabindex: "-1" }, text);
}

/** @param {unknown} error */
function failure(error) {
  return h(
    "p",
    { class: "notice bad", role: "alert" },
    error instanceof ProblemError ? reasonOf(error.refusal) : messageOf(error),
  );
}

/**
 * The form for an action that has no button.
 * @param {Table} table
 * @param {import("./freely.js").Given} given
 * @param {Judge} judge
 */
function freely(table, given, judge) {
  const fields = actionFields(table, given);
  const error = h("p", { class: "error", role: "alert" });
  const go = () => {
    try {
      const { label, ...deed } = fields.read();
      judge(deed, [], label);
    } catch (problem) {
      error.textContent = messageOf(problem);
    }
  };
  return h(
    "details",
    { class: "fold" },
    h("summary", { class: "button block" }, say("Something else")),
    h(
      "div",
      { class: "stack" },
      fields.elements,
      error,
      h("button", { type: "button", class: "button block", onclick: go }, say("Continue")),
    ),
  );
}
