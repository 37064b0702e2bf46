// Decide what a tap on the board or on a hand means: an action, a player, or a result.

import { h, isShown, toast } from "../ui.js";
import { capitalize, lowerCase, say } from "../words.js";
import { bodyOf } from "./actions.js";
import { deedsAbout, isOf, likely } from "./anyway.js";
import { bubble, MOST_IN_BUBBLE, shutBubble } from "./bubble.js";
import { isMeant, placesOf } from "./marks.js";
import { titleOf } from "./names.js";
import { menu } from "./sheets.js";

/**
 * @typedef {{label: string, symbol?: string | null, run: () => void}} Meaning
 * @typedef {{onTap: (entry: Entry, button: Element | null) => void,
 *   onOutcome: (asked: Question, outcome: Outcome, button: Element | null) => void,
 *   record: Recorder, onLit: () => void, isLocked: () => boolean}} Listeners
 */

export class Touch {
  /**
   * @param {HTMLElement} page
   * @param {import("./table.js").Table} table
   * @param {import("./panel.js").Panel} panel
   * @param {import("./board.js").Board} board
   * @param {Listeners} listeners
   *   `onLit`: the highlighted places have changed
   */
  constructor(page, table, panel, board, listeners) {
    this.page = page;
    this.table = table;
    this.panel = panel;
    this.board = board;
    this.listeners = listeners;
  }

  /** Highlight the places that can be tapped on the board. */
  lightUp() {
    const { table, panel, board } = this;
    if (!table.isRead) return;
    const asked = panel.openQuestion;
    const targets = asked
      ? new Set(asked.point.outcomes.map((outcome) => String(outcome.value)))
      : panel.entries.reduce((found, entry) => this.meant(found, entry), /** @type {Set<string>} */ (new Set()));
    if (panel.seat) targets.delete(panel.seat);
    if (table.game.outcome) targets.clear();
    // The question of a draw shrinks the board instead of covering it. Meanwhile, taps on the board have no effect.
    this.page.classList.toggle("is-asking", Boolean(asked) && ![...targets].some((place) => board.places.has(place)));
    board.meaning = (place) => this.meaning(place);
    board.light(targets, panel.seat);
    this.listeners.onLit();
  }

  /**
   * The places that an action highlights, or the pawn of the player it takes along.
   * @param {Set<string>} found
   * @param {Entry} entry
   */
  meant(found, entry) {
    const { panel } = this;
    const companion = panel.seat || panel.taken ? null : panel.companion(entry);
    return companion ? found.add(companion) : placesOf(entry.params, found);
  }

  /**
   * The actions that a tap on places means: those with a button in a fixed place, if there are any. The others have
   * buttons of their own.
   * @param {string[]} places
   */
  entriesAt(...places) {
    const found = this.panel.entries.filter((entry) => {
      const meant = this.meant(new Set(), entry);
      return places.some((place) => isMeant(place, meant));
    });
    const fixed = found.filter((entry) => this.panel.isFixed(entry));
    return fixed.length > 0 ? fixed : found;
  }

  /** The effect of a tap on a place, as signs and as text. @param {string} place */
  meaning(place) {
    if (this.panel.openQuestion) return { symbols: [], told: "" };
    const types = [...new Set(this.entriesAt(place).map((entry) => entry.type))];
    const symbols = types.map((type) => this.panel.kindOf(type)?.symbol).filter(isShown);
    return { symbols, told: types.map((type) => lowerCase(this.table.titleOf(type))).join(` ${say("or")} `) };
  }

  /**
   * Handle a tap on a pawn or a hand: choose the player, or act on the player with the chosen one, or use the tile
   * below.
   * @param {string} seat
   * @param {HTMLElement | null} [tile]  a highlighted tile below
   */
  onSeat(seat, tile = null) {
    const { table, panel, board } = this;
    if (!table.isRead || table.game.outcome) return;
    const isTarget = board.targets.has(seat);
    const isTakenAlong = !panel.seat && panel.entries.some((entry) => panel.companion(entry) === seat);
    const place = tile?.dataset.place;
    if (tile && place) {
      const along = {
        label: say("With {name} …", { name: table.name(seat) }),
        symbol: "pawn",
        run: () => panel.choose(seat),
      };
      const both = isTakenAlong ? [along] : this.itemsAt(seat);
      const title = tile.querySelector("title")?.textContent ?? place;
      this.onPlace(place, title, tile, isTarget && !panel.openQuestion ? both : []);
      return;
    }
    const mayAct =
      isTakenAlong || [...table.now.actions, ...(table.now.possible || [])].some((entry) => entry.actor === seat);
    if (panel.openQuestion || (isTarget && (panel.seat || !mayAct))) this.onPlace(seat, table.name(seat));
    else panel.choose(panel.seat === seat ? null : seat);
  }

  /** The possible meanings of a tap on these places. @param {string[]} places @returns {Meaning[]} */
  itemsAt(...places) {
    return this.meanings(this.entriesAt(...places));
  }

  /** @param {Iterable<Entry>} entries @returns {Meaning[]} */
  meanings(entries) {
    // Actions with fewer tiles come first, because players who move together usually go to the same tile.
    return [...entries]
      .map((entry) => ({ entry, tiles: this.board.placesIn(placesOf(entry.params)).length }))
      .toSorted((one, other) => one.tiles - other.tiles)
      .map(({ entry }) => ({
        label: entry.label,
        symbol: this.panel.kindOf(entry.type)?.symbol,
        run: () => this.listeners.onTap(entry, null),
      }));
  }

  /**
   * @param {string} place
   * @param {string} title
   * @param {Element} [element]
   * @param {Meaning[]} [besides]  further meanings
   */
  onPlace(place, title, element, besides = []) {
    const asked = this.panel.openQuestion;
    if (this.isShut(asked)) return;
    const outcome = asked?.point.outcomes.find((one) => String(one.value) === place);
    if (asked && outcome) this.listeners.onOutcome(asked, outcome, null);
    else if (asked)
      toast(
        say("According to the record, {what} is not a possible result now. Check the earlier entries.", {
          what: title,
        }),
      );
    else this.choose(title, element, [...this.itemsAt(place), ...besides], () => this.anyway(place));
  }

  /**
   * Handle a tap on or beside small places: a finger covers several.
   * @param {Element[]} elements
   * @param {Element | null} touched
   */
  onReach(elements, touched) {
    const asked = this.panel.openQuestion;
    if (this.isShut(asked)) return;
    // A shore and the totem on it are one place, and an action may name several places.
    const placeOf = (/** @type {Element} */ one) => one.getAttribute("data-place") ?? "";
    const places = new Set(elements.map(placeOf));
    // The touched place keeps its actions, even if only the places around it have buttons in a fixed place.
    const own = touched && elements.includes(touched) ? this.entriesAt(placeOf(touched)) : [];
    const items = asked
      ? asked.point.outcomes
          .filter(({ value }) => places.has(String(value)))
          .map((outcome) => ({ label: outcome.label, run: () => this.listeners.onOutcome(asked, outcome, null) }))
      : this.meanings(new Set([...own, ...this.entriesAt(...places)]));
    const [first] = elements;
    this.choose(titleOf(first), first, items, () => []);
  }

  /**
   * Return true if taps on the board have no effect. A question about a rejected tap can still be answered.
   * @param {Question | null} asked
   */
  isShut(asked) {
    const { table, listeners } = this;
    return !table.isRead || Boolean(table.game.outcome) || (!asked?.isBound && listeners.isLocked());
  }

  /** A finger rests on a place: show the meanings if there are several. @param {HTMLElement} element */
  onPress(element) {
    const { place = "", seat } = element.dataset;
    const items = this.mayMean && place !== seat ? this.itemsAt(place) : [];
    if (items.length > 1 && items.length <= MOST_IN_BUBBLE) bubble(titleOf(element), element, items);
  }

  /** A finger rests on a place for long: show its name. @param {HTMLElement} element */
  onRest(element) {
    const isOpen = document.querySelector("dialog.bubble") !== null;
    if (!isOpen) toast(titleOf(element));
    return !isOpen;
  }

  /** The finger slides away: a pawn goes along. @param {HTMLElement} element */
  onSlide(element) {
    const { place = "", seat } = element.dataset;
    if (place !== seat) this.onPress(element);
    // Do not redraw the panel: nothing may move under a finger.
    else if (this.mayMean) {
      this.panel.seat = place;
      this.lightUp();
    }
  }

  /** The finger was released over these elements. @param {HTMLElement} element @param {Element[]} below */
  onDrop(element, below) {
    const meant = below.map((one) => one.closest("dialog.bubble button")).find(isShown);
    if (meant instanceof HTMLElement) return meant.click();
    shutBubble();
    const { place = "", seat } = element.dataset;
    if (place !== seat || this.panel.seat !== seat) return;
    /** @type {HTMLElement | undefined} */
    const lit = below.map((one) => /** @type {any} */ (one.closest(".is-target[role=button]"))).find(isShown);
    // Released where it started: no move.
    const items = lit && !below.some((one) => element.contains(one)) ? this.itemsAt(lit.dataset.place ?? "") : [];
    this.panel.choose(items.length > 1 ? place : null);
    if (lit && items.length > 0) this.choose(titleOf(lit), lit, items, () => []);
  }

  /** True if a tap on a place means an action, not an answer to a question. */
  get mayMean() {
    const { table, panel } = this;
    return table.isRead && !table.game.outcome && !panel.openQuestion;
  }

  /**
   * Handle a tap on a card in a hand: its legal actions, or illegal ones that may have happened.
   * @param {string} seat
   * @param {string} card
   * @param {string} title
   */
  onCard(seat, card, title) {
    if (this.table.game.outcome || this.listeners.isLocked()) return;
    const { actions, possible } = this.table.now;
    const legal = [...actions, ...(possible ?? [])].filter((entry) => entry.actor === seat && isOf(entry, card));
    const items = legal.map((entry) => ({ label: entry.label, run: () => this.listeners.onTap(entry, null) }));
    const name = this.table.name(seat);
    const play = this.play(seat, card);
    if (play && items.length === 0) play.run();
    else if (items.length > 0) sheetOf(`${name}: ${title}`, play ? [play, ...items] : items);
    else this.choose(`${name}: ${title}`, undefined, [], () => this.anyway(card, seat));
  }

  /**
   * The play of an any-time card: on the board, with its places highlighted, or at once.
   * @param {string} seat
   * @param {string} card
   * @returns {Meaning | null}
   */
  play(seat, card) {
    const { panel, table, listeners } = this;
    const { actions, possible } = table.now;
    const plays = [...actions, ...(possible ?? [])].filter(
      (entry) => entry.actor === seat && panel.isAnyTime(entry) && entry.type === `play_${card}`,
    );
    if (plays.length === 0) return null;
    const [entry] = plays;
    const label = say("Play {card}", { card: table.titleOf(entry.type) });
    const onBoard = () => panel.take({ type: entry.type, actor: seat });
    return { label, run: panel.isCard(entry) ? onBoard : () => listeners.onTap(entry, null) };
  }

  /**
   * Run the only meaning, or ask which one is meant.
   * @param {string} title
   * @param {Element | undefined} element
   * @param {Meaning[]} items
   * @param {() => Meaning[]} otherwise  the illegal actions to offer if there is no meaning
   */
  async choose(title, element, items, otherwise) {
    if (items.length === 1) return items[0].run();
    if (items.length > 1)
      return element && items.length <= MOST_IN_BUBBLE ? bubble(title, element, items) : sheetOf(title, items);
    // The page needs the whole ruleset to know what was tapped.
    const done = await this.table.readRules().then(otherwise, () => /** @type {Meaning[]} */ ([]));
    if (done.length === 0) return toast(say("No legal action here: {what}", { what: title }));
    if (done.length === 1) return done[0].run();
    const why = say("None of these is legal here: {what}", { what: title });
    if (element && done.length <= MOST_IN_BUBBLE) bubble(say("Which action was it?"), element, done, why);
    else sheetOf(say("Which action was it?"), done).body.prepend(h("p", {}, why));
  }

  /**
   * The illegal actions that the table may have taken with a thing.
   * @param {string} thing
   * @param {string} [seat]
   * @returns {Meaning[]}
   */
  anyway(thing, seat = this.panel.seat ?? this.table.now.awaiting[0]) {
    const { table, panel } = this;
    if (!seat || table.now.phase === "setup") return [];
    const seats = table.game.seats.map((_, at) => `p${at + 1}`);
    const kinds = table.ruleset.actions;
    const all = deedsAbout(/** @type {any} */ (kinds), thing, seat, seats);
    return likely(all, /** @type {any} */ (kinds), [...table.now.actions, ...(table.now.possible ?? [])]).map(
      (deed) => {
        const whom = Object.values(deed.params).filter((one) => seats.includes(String(one)));
        const said = table.titleOf(deed.type) + (whom.length ? ` (${table.names(whom.map(String))})` : "");
        return {
          label: said,
          symbol: panel.kindOf(deed.type)?.symbol,
          run: () => this.listeners.record(bodyOf(deed), `${table.name(seat)}: ${said}`),
        };
      },
    );
  }
}

/** @param {string} title @param {Meaning[]} items */
function sheetOf(title, items) {
  return menu(
    capitalize(title),
    items.map(({ label, run }) => [label, run]),
  );
}
