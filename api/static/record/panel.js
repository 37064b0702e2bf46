// The lower half of the page: the legal actions, or the question for a result.

import { $$, around, h, isShown } from "../ui.js";
import { lowerCase, marked, say } from "../words.js";
import { groupActions, groupElement, isSame, only } from "./actions.js";
import { outcomeButtons, question } from "./chance.js";
import { isAlone, menuElement, moreButtons } from "./menu.js";
import { quickActions, quickButtons } from "./quick.js";
import { actionList, beside, heldCards, pointBeside, tray } from "./tray.js";

/** @typedef {{type: string, actor: string | null}} Taken */

/**
 * Return true if an action is by a player or affects that player.
 * @param {Pick<Entry, "actor" | "params">} entry
 * @param {string} seat
 */
function isAbout({ actor, params }, seat) {
  return actor === seat || Object.values(params).flat().includes(seat);
}

const ORDINALS = [
  marked("First {what}: which one?"),
  marked("Second {what}: which one?"),
  marked("Third {what}: which one?"),
  marked("Fourth {what}: which one?"),
  marked("Fifth {what}: which one?"),
  marked("Sixth {what}: which one?"),
];

/** Scroll an opened fold into view. @param {Event} event */
function unfold(event) {
  const fold = around(event, "summary")?.parentElement;
  if (!(fold instanceof HTMLDetailsElement)) return;
  event.preventDefault();
  fold.open = !fold.open;
  if (fold.open) fold.scrollIntoView({ block: "nearest" });
}

export class Panel {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} elsewhere  links to the other pages about the game
   * @param {import("./table.js").Table} table
   * @param {{onTap: (entry: Entry, button: Element) => void, onRange: (range: LegalRange) => void, onChoice: () => void,
   *   isOnBoard: (params: unknown) => boolean, isOnMats: (type: string) => boolean, endButtons: () => Child[],
   *   playerOf: (seat: string | null) => Player | undefined, placesOf: (entry: Entry) => string[],
   *   onCard: (seat: string, card: string, title: string) => void,
   *   onOutcome: (question: Question, outcome: Outcome, button: Element) => void, onBack: (question: Question) => void}} listeners
   *   `endButtons()`: the buttons after the end of the game; `placesOf()`: the places of an action on the board
   */
  constructor(host, elsewhere, table, listeners) {
    this.host = host;
    this.elsewhere = elsewhere;
    this.table = table;
    this.listeners = listeners;
    /** The open question for a result, after a tap on an action that needs one. */
    /** @type {Question | null} */
    this.question = null;
    /** The seat of the tapped pawn: only its actions are shown. @type {string | null} */
    this.seat = null;
    /** True if the user wants the board's actions as a list. */
    this.isListed = false;
    /** The any-time card taken from the tray, and its owner. @type {Taken | null} */
    this.taken = null;
    /** The question when the panel was drawn last. */
    this.wording = "";
    host.addEventListener("click", unfold);
  }

  /** The declaration of an action type in the ruleset. @param {string} type */
  kindOf(type) {
    return this.table.ruleset.actions.find((one) => one.type === type);
  }

  /** The fixed places of a draw's results, if there are any. @param {Point} point @returns {FaceLayout | undefined} */
  layoutOf(point) {
    return this.table.ruleset.faces[point.name];
  }

  /** @param {{type: string}} entry */
  isAnyTime = ({ type }) => Boolean(this.kindOf(type)?.any_time);

  /**
   * @param {Entry} entry
   * @param {Point} point
   * @param {Outcome["value"][]} outcomes
   * @param {{isBound?: boolean}} [how]
   */
  ask(entry, point, outcomes, { isBound = false } = {}) {
    this.question = { entry, point, outcomes, isBound };
    this.render({ focus: true });
  }

  back() {
    this.question = null;
    this.render({ focus: true });
  }

  /** The only legal action, if it is a draw: its result can be asked for at once. */
  get onlyDraw() {
    if (!this.table.isObserved || this.seat) return null;
    const { actions, ranges, possible, awaiting } = this.table.now;
    const awaited = actions.filter(
      (entry) => (entry.actor === null || awaiting.includes(entry.actor)) && !this.isAnyTime(entry),
    );
    const isAlone = awaited.length === 1 && awaited[0].chance.length > 0;
    const others = [...(ranges || []), ...(possible || [])].filter((entry) => !this.isAnyTime(entry));
    const hasOthers = others.some((entry) => entry.actor !== null && awaiting.includes(entry.actor));
    return isAlone && !hasOthers ? awaited[0] : null;
  }

  /** The question in the panel, if there is one. @returns {Question | null} */
  get shownQuestion() {
    if (this.question) return this.question;
    const draw = this.onlyDraw;
    return draw && { entry: draw, point: draw.chance[0], outcomes: [], isOnly: true };
  }

  /** The question that a tap on the board answers; null while a card is out of the tray. @returns {Question | null} */
  get openQuestion() {
    return this.taken && !this.question ? null : this.shownQuestion;
  }

  /**
   * Return true if an entry plays the card that is out of the tray.
   * @param {{type: string, actor: string | null}} entry
   */
  isTaken({ type, actor }) {
    return type === this.taken?.type && actor === this.taken.actor;
  }

  /** Update after a new event: an open question stays, with the results that are possible now. */
  refresh() {
    const asked = this.question;
    if (asked && !asked.isBound) {
      const entry = asked.outcomes.length ? undefined : this.table.now.actions.find((one) => isSame(one, asked.entry));
      this.question = entry?.chance.length ? { ...asked, entry, point: entry.chance[0] } : null;
    }
    this.seat = null;
    const { actions, possible } = this.table.now;
    if (![...actions, ...(possible ?? [])].some((entry) => this.isTaken(entry))) this.taken = null;
    this.render();
  }

  /**
   * The other player whom an action on a place moves or takes along: tap that player's pawn for it.
   * @param {Entry} entry
   */
  companion({ actor, params }) {
    const seats = this.table.game.seats.map((_, at) => `p${at + 1}`);
    const found = Object.values(params)
      .flat()
      .find((value) => value !== actor && seats.includes(/** @type {string} */ (value)));
    return found !== undefined && this.listeners.isOnBoard(params) ? String(found) : null;
  }

  /** The actions that can be tapped on the board. @returns {Entry[]} */
  get entries() {
    const { actions, possible, awaiting } = this.table.now;
    const all = [...actions, ...(possible || []).map((entry) => ({ ...entry, isPossible: true }))];
    const { seat, taken } = this;
    if (taken) return all.filter((entry) => this.isTaken(entry));
    if (seat) return all.filter((entry) => isAbout(entry, seat) && !this.isCard(entry));
    const awaited = all.filter((entry) => entry.actor === null || awaiting.includes(entry.actor));
    const asked = awaited.filter((entry) => !this.isAnyTime(entry));
    return asked.length ? asked : awaited.filter((entry) => !this.isCard(entry));
  }

  /**
   * Return true if an entry plays an any-time card on the board: take the card out of the tray first.
   * @param {Entry} entry
   */
  isCard(entry) {
    return this.isAnyTime(entry) && this.listeners.isOnBoard(entry.params);
  }

  /** @param {{focus?: boolean}} options  `focus`: the user asked for this view */
  render({ focus = false } = {}) {
    const hadFocus = this.host.contains(document.activeElement);
    const asked = this.shownQuestion;
    const wording = asked ? this.asksFor(asked) : "";
    const isNew = wording !== "" && wording !== this.wording;
    this.wording = wording;
    const { outcome } = this.table.game;
    if (outcome) this.host.replaceChildren(...this.outcomeElements(outcome));
    else if (asked) this.host.replaceChildren(...this.asking(asked));
    else this.host.replaceChildren(...this.acting());
    // The answers to a new question begin in view, however far the actions were scrolled.
    if (isNew) this.host.closest(".panel")?.scrollTo({ top: 0 });
    // The heading has the question, and Tab continues from there.
    if (focus || (hadFocus && (isNew || outcome))) $$("h2", this.host)[0].focus({ preventScroll: !focus });
  }

  /** The first button; the heading if there is none or a question is open. @returns {HTMLElement} */
  get first() {
    const [heading] = $$("h2", this.host);
    if (this.shownQuestion || this.table.game.outcome) return heading;
    return $$("button, summary", this.host).find((one) => one.checkVisibility()) ?? heading;
  }

  /** @param {string} text @param {{isSeen?: boolean}} [how] */
  heading(text, { isSeen = true } = {}) {
    return h("h2", { tabindex: "-1", id: "todo-title", class: isSeen ? null : "visually-hidden" }, text);
  }

  acting() {
    const { awaited, others } = groupActions(this.now, this.table.ruleset.sections);
    const all = this.seat ? [...awaited, ...others] : awaited;
    const several = new Set(all.map((group) => group.actor)).size > 1;
    const menu = this.seat || several ? null : menuElement(this, all);
    const isMore = (/** @type {Kind} */ kind) =>
      menu !== null && !this.isFixed(kind) && !this.isAnyTime(kind) && this.isPlaced(kind);
    const isInMenu = (/** @type {Kind} */ kind) =>
      isMore(kind) || (menu !== null && kind.type !== this.taken?.type && this.isFixed(kind));
    const [atOnce, further] = [true, false].map((is) => only(all, (kind) => isMore(kind) && isAlone(kind) === is));
    const besides = only(all, (kind) => pointBeside(this, kind) !== null && !isInMenu(kind));
    const shown = only(
      all,
      (kind) => !this.isAnyTime(kind) && !this.isPlaced(kind) && !isInMenu(kind) && !pointBeside(this, kind),
    );
    const quick = menu ? [] : quickActions(this);
    const placed = only(
      all,
      (kind) => !this.isAnyTime(kind) && (isInMenu(kind) ? !isAlone(kind) : this.isPlaced(kind)),
      (entry) => !quick.some((one) => isSame(one, entry)),
    );
    const rest = this.seat ? [] : only(others, (kind) => !this.isAnyTime(kind));
    const names = this.table.names(this.seat ? [this.seat] : this.table.now.awaiting);
    return [
      // The strip shows whose turn it is.
      this.heading(say("Actions for {names}", { names }), { isSeen: Boolean(this.seat) }),
      this.seat &&
        h(
          "button",
          { type: "button", class: "button quiet", onclick: () => this.choose(null) },
          say("Show everyone’s"),
        ),
      this.seat && heldCards(this, this.seat),
      menu,
      besides.flatMap((group) => [...group.kinds.values()]).map((kind) => beside(this, kind)),
      shown.length + quick.length + atOnce.length + further.length > 0 &&
        h(
          "div",
          { class: `acts${quick.length > 0 || several ? " tight" : ""}` },
          moreButtons(this, atOnce),
          shown.map(this.drawer(several, { isWhole: menu !== null })),
          moreButtons(this, further),
          quickButtons(this, quick),
        ),
      all.length === 0 && h("p", { class: "soft" }, say("No legal action now.")),
      ...this.aside({ placed, several, rest, anyTime: this.anyTime(all, others) }),
    ]
      .flat()
      .filter(isShown);
  }

  /** The legal actions that need buttons: of everyone, or by and with the chosen player. @returns {LegalActions} */
  get now() {
    const { now } = this.table;
    const seat = /** @type {LegalRange["actor"] | null} */ (this.seat);
    const isShownHere = (/** @type {Entry} */ entry) =>
      !this.listeners.isOnMats(entry.type) && (!seat || isAbout(entry, seat));
    return {
      ...now,
      actions: now.actions.filter(isShownHere),
      possible: now.possible?.filter(isShownHere),
      ranges: now.ranges
        ?.filter(({ type, seats }) => !this.listeners.isOnMats(type) && (!seat || seats.includes(seat)))
        .map((range) => ({ ...range, actor: seat ?? range.actor })),
    };
  }

  /** Return true if the buttons in fixed places include a kind. @param {{type: string}} kind */
  isFixed({ type }) {
    return this.table.ruleset.menu.includes(type);
  }

  /** Return true if all actions of a kind can be tapped on the board. @param {Kind} kind */
  isPlaced({ entries, range }) {
    return !range && entries.length > 0 && entries.every((entry) => this.listeners.isOnBoard(entry.params));
  }

  /**
   * Return the function that draws a group.
   * @param {boolean} isSaid  true to show the actor
   * @param {{isWhole?: boolean}} [how]  `isWhole`: each button has its whole label
   * @returns {(group: Group) => HTMLElement}
   */
  drawer(isSaid, { isWhole = false } = {}) {
    const kindOf = (/** @type {string} */ type) => this.kindOf(type);
    return (group) =>
      groupElement(group, { who: isSaid && this.table.name(group.actor), isWhole, kindOf, ...this.listeners });
  }

  /** The any-time actions, by the chosen player or by anyone. @param {Group[]} all @param {Group[]} others */
  anyTime(all, others) {
    return only(this.seat ? all : [...all, ...others], (kind) => this.isAnyTime(kind));
  }

  /**
   * The secondary actions: the tray, the list of the board's actions, and other players' actions.
   * @param {{besides?: Element[], placed?: Group[], several?: boolean, rest: Group[], anyTime: Group[]}} what
   */
  aside({ besides = [], placed = [], several = false, rest, anyTime }) {
    const folded = [
      ...besides,
      anyTime.length > 0 && tray(this, anyTime),
      placed.length > 0 && actionList(this, placed.map(this.drawer(several))),
      rest.length > 0 &&
        h(
          "details",
          { class: "others" },
          h(
            "summary",
            { class: "button quiet" },
            say("More actions for {names}", {
              names: this.table.names([...new Set(rest.map((group) => group.actor))]),
            }),
          ),
          rest.map(this.drawer(true)),
        ),
    ].filter(isShown);
    return folded.length ? [h("div", { class: "aside" }, folded)] : [];
  }

  /** Take a card out of the tray, like a tap on it in a hand, or an action from the menu. @param {Taken | null} card */
  take(card) {
    this.taken = card;
    this.render({ focus: true });
    this.listeners.onChoice();
  }

  /** The heading of a question, such as "Second treasure card: which one?" @param {Question} asked */
  asksFor({ entry, point }) {
    const before = this.table.story.filter(
      (line) =>
        !line.is_undone && line.turn === this.table.now.turn && line.type === entry.type && line.seat === entry.actor,
    );
    const nth = before.length + (point.position || 0);
    if (nth === 0 || nth >= ORDINALS.length) return question(point, this.table.ruleset);
    return say(ORDINALS[nth], { what: lowerCase(this.table.ruleset.titles[point.name]) });
  }

  /** @param {string | null} seat */
  choose(seat) {
    this.seat = seat;
    this.taken = null;
    this.listeners.onChoice();
    this.render();
  }

  /** @param {Question} asked */
  asking(asked) {
    const { entry, point, isOnly } = asked;
    const by = entry.actor ? `${this.table.name(entry.actor)}: ` : "";
    const { awaited, others } = groupActions(this.table.now, this.table.ruleset.sections);
    const isOnBoard = point.outcomes.every(({ value }) => this.listeners.isOnBoard({ [point.name]: value }));
    const buttons = outcomeButtons(
      point,
      (outcome, button) => this.listeners.onOutcome(asked, outcome, button),
      this.layoutOf(point),
    );
    const onclick = () => this.listeners.onBack(asked);
    const besides = [
      point.may_be_unknown && buttons.pop(),
      !isOnly && h("button", { type: "button", class: "button", onclick }, say("Back")),
    ].filter(isShown);
    return [
      h("p", { class: "visually-hidden" }, by + (entry.label || "")),
      this.heading(question(point, this.table.ruleset), { isSeen: false }),
      ...(isOnBoard ? [actionList(this, buttons)] : buttons),
      ...(isOnly
        ? this.aside({
            besides,
            rest: only(others, (kind) => !this.isAnyTime(kind)),
            anyTime: this.anyTime(awaited, others),
          })
        : [besides.length > 0 && h("div", { class: "besides" }, besides)]),
    ].filter(isShown);
  }

  /** @param {NonNullable<Game["outcome"]>} outcome */
  outcomeElements({ result, winners, reason }) {
    const said = { won: say("Won"), lost: say("Lost"), draw: say("A draw"), abandoned: say("Abandoned") }[result];
    const all = winners.length === this.table.game.seats.length;
    const ending = /** @type {string | undefined} */ (this.table.ruleset.endings[reason]);
    const isOurs = result === "won" && !all;
    return [
      this.heading(isOurs ? say("Won by {names}", { names: this.table.names(winners) }) : said),
      h("p", { class: "lead" }, ending || this.table.story.findLast((line) => line.type === "abandon")?.sentence || ""),
      h("div", { class: "stack" }, this.listeners.endButtons()),
      h(
        "div",
        { class: "buttons" },
        [...this.elsewhere.children].map((link) => link.cloneNode(true)),
      ),
    ];
  }
}
