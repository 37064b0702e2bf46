// Reveal unknown results later.

import { api } from "../api.js";
import { h } from "../ui.js";
import { say } from "../words.js";
import { outcomeButtons, question } from "./chance.js";
import { sheet } from "./sheets.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * The unknown results that are not yet revealed; empty if the service does not answer.
 * @param {Table} table
 * @returns {Promise<Unknown[]>}
 */
export async function unseen(table) {
  if (!table.isObserved) return [];
  const answer = await api(`${table.url}/unknowns`).catch(() => ({ unknowns: [] }));
  return answer.unknowns;
}

/**
 * @param {Table} table
 * @param {Unknown[]} points  of `unseen`
 * @param {Recorder} record
 */
export function revealSheet(table, points, record) {
  const step = h("div", { class: "stack" });
  const opened = sheet(say("Unknown cards"), step);
  /** @param {Unknown} point */
  const told = (point) => table.story[point.seq - 1].sentence;
  /** @param {Unknown} point */
  const ask = (point) => {
    /** @param {Outcome} outcome */
    const onPick = (outcome) => {
      const params = { seq: point.seq, position: point.position, value: outcome.value };
      record(
        { type: "reveal", actor: null, params },
        say("Event {event} was: {what}", { event: point.seq, what: outcome.label }),
      );
      opened.close();
    };
    const heading = h("h3", { tabindex: "-1" }, question(point, table.ruleset));
    step.replaceChildren(h("p", { class: "quote" }, told(point)), heading, ...outcomeButtons(point, onPick));
    heading.focus();
  };
  if (points.length === 1) {
    ask(points[0]);
    return;
  }
  step.replaceChildren(
    ...points.map((point) =>
      h("button", { type: "button", class: "button large block", onclick: () => ask(point) }, told(point)),
    ),
  );
}
