// The lower half of the page: what may be done now, or what came up.

import { h } from "../ui.js";
import { groupElement, grouped, isSame } from "./actions.js";
import { outcomeButtons, question } from "./chance.js";

export class Panel {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} elsewhere  links to the other pages about the game
   * @param {import("./table.js").Table} table
   * @param {{onTap: Function, onRange: Function, onOutcome: Function, onBack: Function}} listeners
   *   `onTap(entry, button)`; `onOutcome(question, outcome, button)`, a question being `{entry, point, outcomes}`
   */
  constructor(host, elsewhere, table, listeners) {
    this.host = host;
    this.elsewhere = elsewhere;
    this.table = table;
    this.listeners = listeners;
    /** What chance is asked, if somebody tapped an action that asks it. */
    this.question = null;
    /** The seat whose pawn was tapped: only its actions are shown. */
    this.seat = null;
  }

  ask(entry, point, outcomes, { isBound = false } = {}) {
    this.question = { entry, point, outcomes, isBound };
    this.render({ focus: true });
  }

  back() {
    this.question = null;
    this.render({ focus: true });
  }

  /** The one action there is, where it is a draw: what came up can be asked at once. */
  get onlyDraw() {
    if (!this.table.isObserved || this.seat) return null;
    const { actions, ranges, possible, awaiting } = this.table.now;
    const awaited = actions.filter((entry) => entry.actor === null || awaiting.includes(entry.actor));
    const isAlone = awaited.length === 1 && awaited[0].chance.length > 0;
    const hasOthers = [...(ranges || []), ...(possible || [])].some((entry) => awaiting.includes(entry.actor));
    return isAlone && !hasOthers ? awaited[0] : null;
  }

  /** What is asked now, if anything. */
  get asked() {
    if (this.question) return this.question;
    const draw = this.onlyDraw;
    return draw && { entry: draw, point: draw.chance[0], outcomes: [], isOnly: true };
  }

  /** The game has moved on: a question that is still open stays, with what can come up now. */
  refresh() {
    if (this.question && !this.question.isBound && !this.question.outcomes.length) {
      const entry = this.table.now.actions.find((one) => isSame(one, this.question.entry));
      this.question = entry && entry.chance.length ? { ...this.question, entry, point: entry.chance[0] } : null;
    } else if (this.question && !this.question.isBound) {
      this.question = null;
    }
    this.seat = null;
    this.render();
  }

  /** What may be tapped on the board, and by whom. */
  get entries() {
    const { actions, possible, awaiting } = this.table.now;
    const all = [...actions, ...(possible || []).map((entry) => ({ ...entry, isPossible: true }))];
    if (!this.seat) return all.filter((entry) => entry.actor === null || awaiting.includes(entry.actor));
    return all.filter((entry) => entry.actor === this.seat || Object.values(entry.params).flat().includes(this.seat));
  }

  /** @param {{focus?: boolean}} options  `focus`: this is what the person asked for */
  render({ focus = false } = {}) {
    const hadFocus = this.host.contains(document.activeElement);
    const asked = this.asked;
    if (this.table.game.outcome) this.host.replaceChildren(...this.ended());
    else if (asked) this.host.replaceChildren(...this.asking(asked));
    else this.host.replaceChildren(...this.acting());
    // What had the focus is gone: the heading says what is here now, and the next Tab goes on from there.
    if (focus || hadFocus) this.host.querySelector("h2").focus({ preventScroll: !focus });
  }

  heading(text, { isSeen = true } = {}) {
    return h("h2", { tabindex: "-1", id: "todo-title", class: isSeen ? null : "visually-hidden" }, text);
  }

  acting() {
    const { awaited, others } = grouped(this.table.now, this.table.ruleset.sections);
    const shown = this.seat ? [...awaited, ...others].filter((group) => group.actor === this.seat) : awaited;
    const several = new Set(shown.map((group) => group.actor)).size > 1;
    const draw = (who) => (group) => groupElement(group, { who: who && this.table.name(group.actor), ...this.listeners });
    const rest = this.seat ? [] : others;
    const names = this.table.names(this.seat ? [this.seat] : this.table.now.awaiting);
    return [
      // The page's own heading says whose turn it is.
      this.heading(`${names} may`, { isSeen: Boolean(this.seat) }),
      this.seat && h("button", { type: "button", class: "button quiet", onclick: () => this.choose(null) }, "Show everybody’s"),
      ...shown.map(draw(several)),
      shown.length === 0 && h("p", { class: "soft" }, "Nothing, just now."),
      rest.length > 0 &&
        h(
          "details",
          { class: "others" },
          h("summary", { class: "button quiet block" }, `${this.table.names([...new Set(rest.map((group) => group.actor))])} may, too`),
          rest.map(draw(true)),
        ),
    ].filter(Boolean);
  }

  choose(seat) {
    this.seat = seat;
    this.listeners.onChoice();
    this.render();
  }

  asking(asked) {
    const { entry, point, isOnly } = asked;
    const by = entry.actor ? `${this.table.name(entry.actor)}: ` : "";
    const rest = isOnly ? grouped(this.table.now, this.table.ruleset.sections).others : [];
    return [
      h("p", { class: "eyebrow" }, by + (entry.label || "")),
      this.heading(question(point)),
      ...outcomeButtons(point, (outcome, button) => this.listeners.onOutcome(asked, outcome, button)),
      !isOnly && h("button", { type: "button", class: "button block", onclick: () => this.listeners.onBack(asked) }, "Back"),
      rest.length > 0 &&
        h(
          "details",
          { class: "others" },
          h("summary", { class: "button quiet block" }, `${this.table.names([...new Set(rest.map((group) => group.actor))])} may, too`),
          rest.map((group) => groupElement(group, { who: this.table.name(group.actor), ...this.listeners })),
        ),
    ].filter(Boolean);
  }

  ended() {
    const { result, winners, reason } = this.table.game.outcome;
    const said = { won: "Won", lost: "Lost", draw: "A draw", abandoned: "Stopped" }[result];
    const all = winners.length === this.table.game.seats.length;
    const by = result === "won" && !all ? ` by ${this.table.names(winners)}` : "";
    return [
      this.heading(said + by),
      h("p", { class: "lead" }, this.table.ruleset.endings[reason] || this.table.story.findLast((line) => line.type === "abandon")?.sentence || ""),
      h("div", { class: "buttons" }, [...this.elsewhere.children].map((link) => link.cloneNode(true))),
    ];
  }
}
