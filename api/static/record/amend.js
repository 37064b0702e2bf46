// An event is put right where it stands: changed, taken out, or one put in before it; first with what becomes of the rest.

import { ProblemError, api } from "../api.js";
import { h } from "../ui.js";
import { bodyOf, groupElement, grouped } from "./actions.js";
import { outcomeButtons, question } from "./chance.js";
import { actionFields } from "./freely.js";
import { reasonOf } from "./notices.js";
import { sheet } from "./sheets.js";

const TITLES = { event: "Change", insert: "Put in before", remove: "Take out" };
const SUBMITS = { event: "Change it", insert: "Put it in", remove: "Take it out" };
const EFFECTS = {
  state_differs: "happens on another table",
  now_illegal: "would be against the rules",
  outcome_impossible: "could not have come up",
};

/**
 * @param {import("./table.js").Table} table
 * @param {object} line  of the story
 * @param {"event" | "insert" | "remove"} way
 * @param {(body: object, label: string) => void} record
 */
export async function amendSheet(table, line, way, record) {
  const opened = sheet(TITLES[way], h("p", { class: "quote" }, line.sentence), h("div", { class: "step" }));
  const step = opened.body.querySelector(".step");
  const show = (...children) => {
    step.replaceChildren(...children.flat().filter(Boolean));
    (step.querySelector("h3") || step).focus();
  };
  const body = (entry, outcomes) => {
    const change = way === "remove" ? { remove: true } : { [way]: bodyOf(entry, outcomes) };
    return { type: "amend", actor: null, params: { seq: line.seq, ...change } };
  };
  const judge = async (entry, outcomes, said = entry?.label) => {
    try {
      const answer = await api(`${table.url}/events`, { query: { dry_run: true }, body: body(entry, outcomes) });
      confirm(entry, outcomes, answer.impact ?? null, null, said);
    } catch (error) {
      if (!(error instanceof ProblemError)) show(failure(error));
      else if (error.slug === "outcome-required") ask(entry, outcomes, error.problem.chance, said);
      else if ("impact" in error.problem) confirm(entry, outcomes, error.problem.impact, error, said);
      else show(failure(error), way !== "remove" && back());
    }
  };
  const ask = (entry, outcomes, point, said) => {
    const onPick = (outcome) => judge(entry, [...outcomes, outcome.value], `${said}: ${outcome.label}`);
    show(heading(question(point)), outcomeButtons(point, onPick), back());
  };
  const confirm = (entry, outcomes, impact, problem, said) => {
    // The note says in words what the correction brings.
    const sent = { ...body(entry, outcomes), ...(said ? { note: said } : {}) };
    if (problem) sent.params.accept_broken = true;
    const send = () => {
      record(sent, `${TITLES[way]}: ${line.sentence}`);
      opened.close();
    };
    show(
      heading("What becomes of the rest"),
      impactList(table, impact),
      problem && h("p", { class: "notice bad" }, reasonOf({ ...problem.problem, slug: problem.slug })),
      h(
        "button",
        { type: "button", class: `button large block ${problem ? "danger" : "primary"}`, onclick: send },
        problem ? `${SUBMITS[way]} all the same` : SUBMITS[way],
      ),
      way !== "remove" && back(),
    );
  };
  const back = () => h("button", { type: "button", class: "button block", onclick: choose }, "Back");
  const choose = async () => {
    const given = way === "event" ? await api(`${table.url}/events/${line.seq}`) : { actor: line.actor };
    const then = await api(`${table.url}/actions`, { query: { until: line.seq - 1 } });
    const { awaited, others } = grouped(then, table.ruleset.sections);
    const onTap = (entry) => judge(entry, []);
    show(
      heading(way === "event" ? "What was it, really?" : "What happened before it?"),
      awaited.map((group) => groupElement(group, { who: null, onTap, onRange: () => {} })),
      others.map((group) => groupElement(group, { who: table.name(group.actor), onTap, onRange: () => {} })),
      freely(table, given, judge),
    );
  };
  if (way === "remove") await judge(null, []);
  else await choose();
}

function heading(text) {
  return h("h3", { tabindex: "-1" }, text);
}

function failure(error) {
  return h("p", { class: "notice bad", role: "alert" }, error.problem ? reasonOf({ ...error.problem, slug: error.slug }) : error.message);
}

/** Whatever is not among the buttons. */
function freely(table, given, judge) {
  const fields = actionFields(table, given);
  const error = h("p", { class: "error", role: "alert" });
  const go = () => {
    try {
      judge(fields.read(), []);
    } catch (problem) {
      error.textContent = problem.message;
    }
  };
  return h(
    "details",
    { class: "fold" },
    h("summary", { class: "button block" }, "Something else"),
    h("div", { class: "stack" }, fields.elements, error, h("button", { type: "button", class: "button block", onclick: go }, "Go on")),
  );
}

/** What becomes of the events that follow; `impact` is null where that hangs on what the service has still to draw. */
function impactList(table, impact) {
  if (impact === null) return h("p", { class: "notice" }, "The service draws what comes up: what that changes shows then.");
  const changed = impact.filter((one) => one.effect !== "unchanged");
  if (changed.length === 0) {
    return h("p", { class: "notice good" }, impact.length ? "All later events stand as they are." : "Nothing follows it.");
  }
  const same = impact.length - changed.length;
  return h(
    "div",
    { class: "impact" },
    same > 0 && h("p", {}, `${same} later ${same === 1 ? "event stands" : "events stand"} as before.`),
    h(
      "ul",
      { class: "plain" },
      changed.map((one) => {
        const told = table.story[one.seq - 1];
        const isBad = one.effect !== "state_differs";
        return h(
          "li",
          {},
          h("span", { class: `chip ${isBad ? "bad" : "sand"}` }, EFFECTS[one.effect]),
          ` ${told ? told.sentence : `Event ${one.seq}`}`,
          one.reason && h("span", { class: "note" }, one.rule ? `${one.reason} (${one.rule})` : one.reason),
        );
      }),
    ),
  );
}
