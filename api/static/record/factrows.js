// Lines of facts that one tap changes, such as dry, flooded or sunk for one tile, or for all others.

import { h } from "../ui.js";
import { say } from "../words.js";

/** @typedef {import("./facts.js").Facts} Facts */

/**
 * A line of radios for one fact, or for everything of its kind that is not named.
 * @param {Facts} facts
 * @param {{key: string, values: unknown[]}} choice
 * @param {Fact} fact
 * @param {() => void} onChange
 */
export function choiceRow(facts, { key, values }, fact, onChange) {
  const subject = facts.subject(fact);
  const now = (facts.changes.get(subject) ?? fact)[key];
  const radios = values.map((value) => {
    const change = () => {
      facts.change({ ...fact, [key]: value });
      onChange();
    };
    const input = h("input", { type: "radio", name: subject, checked: value === now, onchange: change });
    return h("label", { class: "choice" }, input, facts.wordsFor(value));
  });
  return h(
    "fieldset",
    { class: "field" },
    h("legend", {}, facts.about(fact) || facts.title(facts.kindOf(fact))),
    h("div", { class: "choices" }, radios),
  );
}

/**
 * A line that sets, with a tap, the fact about everything of a kind that no other fact names; null if this needs a
 * form.
 * @param {Facts} facts
 * @param {FactType} kind
 * @param {() => void} onChange
 */
export function restRow(facts, kind, onChange) {
  if (kind.about.length === 0) return null;
  const rest = facts.rest(kind);
  if (kind.can_be_absent) {
    const change = () => {
      facts.change(rest);
      onChange();
    };
    return h("button", { type: "button", class: "button block", onclick: change }, say("Nothing else"));
  }
  const choice = facts.choice(kind);
  return choice && choiceRow(facts, choice, rest, onChange);
}
