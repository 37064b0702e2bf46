// The explanations of an illegal tap, to choose from.

import { h, isShown } from "../ui.js";
import { marked, say } from "../words.js";
import { field } from "./sheets.js";

/** @typedef {NonNullable<Refusal["explanations"]>[number]} Explanation */

/** The effect of each kind on the record. */
const LEAVES = {
  skipped_step: marked("Marks only the skipped step. It can still be done later."),
  late_step: marked("Marks {name}'s step as late. The earlier slip is then resolved."),
  swapped_steps: marked("Marks one slip by {name}. Later events are not marked."),
  one_too_many: marked("Marks one slip by {name}. The turn continues."),
  other_player: marked("Marks one slip by {name}. The step counts as done."),
  missed_reshuffle: marked("Marks one slip by {name}. The recorded table stays as it is."),
  unnoticed_end: marked("Marks that nobody noticed the end of the game. The game continues."),
  house_rule: marked("Legal for everyone in this situation from now on. The audit lists it as a house rule."),
  wrong_player: marked("Not a slip. Recorded for {name}."),
  wrong_result: marked("Not a slip. Corrects an earlier entry."),
};

/** Return true if a rejected tap is shown with its explanations. @param {RefusedTap | null} tap */
export function isSlip(tap) {
  if (!tap) return false;
  const { slug, explanations, instead, look } = tap.problem;
  if (slug === "game-over") return Boolean(explanations?.length);
  return isAccepted(tap) && explanations !== undefined && !instead && !look;
}

/** Return true if a rejected tap can be recorded without an explanation. @param {RefusedTap} tap */
function isAccepted({ problem }) {
  return problem.slug === "illegal-action";
}

/**
 * Offer to play on after an ending that nobody noticed; null where nobody can miss it.
 * @param {import("./table.js").Table} table
 * @param {(event: NewEvent, label: string) => void} onPlayOn
 */
export function playOnButton(table, onPlayOn) {
  const event = table.now.play_on;
  if (!event) return null;
  const label = say("Play on");
  const onclick = () => onPlayOn(event, label);
  return h(
    "button",
    { type: "button", class: "button large block play-on", onclick },
    h(
      "span",
      {},
      label,
      h("small", {}, say("Nobody noticed that the game was over. Driftlog marks this, and the game continues.")),
    ),
  );
}

export class SlipSheet {
  /**
   * @param {HTMLElement} host  replaces the legal actions
   * @param {HTMLElement} bar  replaces the last event
   * @param {import("./table.js").Table} table
   * @param {{onExplained: (events: NewEvent[]) => void, onAnyway: (note: string) => void, onCancel: () => void}} listeners
   */
  constructor(host, bar, table, listeners) {
    this.host = host;
    this.bar = bar;
    this.table = table;
    this.listeners = listeners;
    /** The shown refusal. @type {Refusal | null} */
    this.shown = null;
    host.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.listeners.onCancel();
    });
  }

  /** Show the explanations of a rejected tap; null hides them. @param {RefusedTap | null} tap */
  render(tap) {
    const { host, bar } = this;
    const problem = tap?.problem ?? null;
    if (problem === this.shown) return;
    this.shown = problem;
    host.hidden = bar.hidden = problem === null;
    if (!tap || !problem) {
      host.replaceChildren();
      bar.replaceChildren();
      return;
    }
    const explanations = problem.explanations ?? [];
    const other = h("input", { maxlength: 2000, autocomplete: "off" });
    const isRule = (/** @type {Explanation} */ { kind }) => kind === "house_rule";
    const isOpen = explanations.every(isRule);
    const options = explanations.map((one, at) => this.option(one, at === 0 && !isRule(one)));
    const rules = options.filter((_, at) => isRule(explanations[at]));
    const text = h("div", { class: "slip-options" }, field(say("In your own words"), other), rules);
    text.hidden = !isOpen;
    const openOther = () => {
      for (const option of options) /** @type {HTMLInputElement} */ (option.firstElementChild).checked = false;
      text.hidden = false;
      nameButton();
      other.focus();
    };
    const form = h(
      "form",
      { class: "slip", id: "slip-form" },
      h(
        "div",
        { class: "slip-head" },
        h("h2", { id: "slip-title", tabindex: "-1" }, say("What happened?")),
        !isOpen &&
          isAccepted(tap) &&
          h("button", { type: "button", class: "button quiet", onclick: openOther }, say("Other")),
      ),
      h(
        "div",
        { class: "slip-options", role: "radiogroup", "aria-labelledby": "slip-title" },
        options.filter((one) => !rules.includes(one)),
      ),
      text,
    );
    const chosenAt = () => {
      const chosen = form.querySelector("input[type=radio]:checked");
      return chosen ? Number(/** @type {HTMLInputElement} */ (chosen).value) : -1;
    };
    const button = h("button", { type: "submit", form: "slip-form", class: "button large primary" });
    const nameButton = () => {
      const corrects = explanations[chosenAt()]?.kind === "wrong_result";
      button.textContent = corrects ? say("Correct the entry") : say("Record anyway");
    };
    form.addEventListener("change", nameButton);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const at = chosenAt();
      if (at >= 0) this.listeners.onExplained(eventsOf(explanations[at], other.value.trim()));
      else this.listeners.onAnyway(other.value.trim());
    });
    for (const [at, option] of options.entries()) option.querySelector("input")?.setAttribute("value", String(at));
    host.replaceChildren(form);
    bar.replaceChildren(
      h("button", { type: "button", class: "button large", onclick: () => this.listeners.onCancel() }, say("Cancel")),
      button,
    );
    nameButton();
    // The question begins in view, however far the actions were scrolled.
    host.closest(".panel")?.scrollTo({ top: 0 });
    /** @type {HTMLElement | null} */
    const first = host.querySelector(isOpen ? "h2" : "input[type=radio]");
    first?.focus({ preventScroll: true });
  }

  /** @param {Explanation} explanation @param {boolean} isFirst */
  option({ kind, seat, message }, isFirst) {
    const radio = h("input", { type: "radio", name: "slip" });
    radio.checked = isFirst;
    const leaves = say(LEAVES[kind], { name: this.table.name(seat) });
    return h("label", { class: "slip-option" }, radio, h("span", {}, message, h("small", {}, leaves)));
  }
}

/**
 * The events of an explanation; a house rule has the table's text.
 * @param {Explanation} explanation
 * @param {string} text
 */
function eventsOf({ kind, events }, text) {
  const drafts = /** @type {NewEvent[]} */ (events);
  if (kind !== "house_rule" || !text) return drafts;
  return drafts.map((one) => (one.type === "house_rule" ? { ...one, params: { ...one.params, text } } : one));
}

/** The places of a rejected tap, to ring on the board. @param {RefusedTap | null} tap @returns {string[]} */
export function placesToRing(tap) {
  return tap
    ? Object.values(tap.body.params ?? {})
        .flat()
        .filter(isShown)
        .map(String)
    : [];
}
