// What happened, where a tap is against the rules: the slips that may lie behind it, to choose from.

import { h, isShown } from "../ui.js";
import { marked, say } from "../words.js";
import { field } from "./sheets.js";

/** @typedef {NonNullable<Refusal["explanations"]>[number]} Explanation */

/** What each kind leaves in the record. */
const LEAVES = {
  skipped_step: marked("Marks only what was skipped. It can still be done later."),
  late_step: marked("Marked as late, for {name}. Makes up for the slip."),
  swapped_steps: marked("Marks one slip, for {name}. What follows is not marked."),
  one_too_many: marked("Marks one slip, for {name}. The turn goes on as it was."),
  other_player: marked("Marks one slip, for {name}. The step counts as done."),
  wrong_player: marked("No slip. It is recorded for {name}."),
  wrong_result: marked("No slip. Corrects what was entered before."),
};

/** Return true if a rejected tap is shown with its explanations. @param {RefusedTap | null} tap */
export function isSlip(tap) {
  if (!tap) return false;
  const { slug, explanations, instead, look } = tap.problem;
  return slug === "illegal-action" && explanations !== undefined && !instead && !look;
}

export class SlipSheet {
  /**
   * @param {HTMLElement} host  in the place of what may be done
   * @param {HTMLElement} bar  in the place of the last event
   * @param {import("./table.js").Table} table
   * @param {{onExplained: (events: NewEvent[]) => void, onAnyway: (note: string) => void, onCancel: () => void}} listeners
   */
  constructor(host, bar, table, listeners) {
    this.host = host;
    this.bar = bar;
    this.table = table;
    this.listeners = listeners;
    /** The refusal that is shown. @type {Refusal | null} */
    this.shown = null;
    host.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.listeners.onCancel();
    });
  }

  /** Show what may lie behind a tap; null hides it. @param {RefusedTap | null} tap */
  render(tap) {
    const { host, bar } = this;
    const problem = tap?.problem ?? null;
    if (problem === this.shown) return;
    this.shown = problem;
    host.hidden = bar.hidden = problem === null;
    if (!problem) {
      host.replaceChildren();
      bar.replaceChildren();
      return;
    }
    const explanations = problem.explanations ?? [];
    const other = h("input", { maxlength: 2000, autocomplete: "off" });
    const text = field(say("In your words"), other);
    text.hidden = explanations.length > 0;
    const options = explanations.map((one, at) => this.option(one, at === 0));
    const openOther = () => {
      for (const option of options) /** @type {HTMLInputElement} */ (option.firstElementChild).checked = false;
      text.hidden = false;
      other.focus();
    };
    const form = h(
      "form",
      { class: "slip", id: "slip-form" },
      h(
        "div",
        { class: "slip-head" },
        h("h2", { id: "slip-title" }, say("What happened?")),
        explanations.length > 0 &&
          h("button", { type: "button", class: "button quiet", onclick: openOther }, say("Other")),
      ),
      h("div", { class: "slip-options", role: "radiogroup", "aria-labelledby": "slip-title" }, options),
      text,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = form.querySelector("input[type=radio]:checked");
      const at = chosen ? Number(/** @type {HTMLInputElement} */ (chosen).value) : -1;
      if (at >= 0) this.listeners.onExplained(/** @type {NewEvent[]} */ (explanations[at].events));
      else this.listeners.onAnyway(other.value.trim());
    });
    for (const [at, option] of options.entries()) option.querySelector("input")?.setAttribute("value", String(at));
    host.replaceChildren(form);
    bar.replaceChildren(
      h("button", { type: "button", class: "button large", onclick: () => this.listeners.onCancel() }, say("Cancel")),
      h("button", { type: "submit", form: "slip-form", class: "button large primary" }, say("Record anyway")),
    );
    /** @type {HTMLElement | null} */
    const first = host.querySelector("input[type=radio]") ?? other;
    first.focus();
  }

  /** @param {Explanation} explanation @param {boolean} isFirst */
  option({ kind, seat, message }, isFirst) {
    const radio = h("input", { type: "radio", name: "slip" });
    radio.checked = isFirst;
    const leaves = say(LEAVES[kind], { name: this.table.name(seat) });
    return h("label", { class: "slip-option" }, radio, h("span", {}, message, h("small", {}, leaves)));
  }
}

/** The places that a refused tap is about, to be ringed on the board. @param {RefusedTap | null} tap @returns {string[]} */
export function ringed(tap) {
  return tap
    ? Object.values(tap.body.params ?? {})
        .flat()
        .filter(isShown)
        .map(String)
    : [];
}
