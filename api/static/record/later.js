// The parts of the record page that it needs only after its first view. They are loaded once the page is usable.

import { stayAwake } from "../awake.js";
import { install } from "../keeping.js";
import { follow } from "../live.js";
import { $, isShown, renew } from "../ui.js";
import { Feed } from "./feed.js";
import { rangeForm } from "./freely.js";
import { Judge } from "./judge.js";
import { listen as listenToKeys } from "./keys.js";
import { lastSeenNotice, offlineNotice, reasonOf, refusedNotice } from "./notices.js";
import { openEvent, openMore } from "./opened.js";
import { Passage } from "./passage.js";
import { answersTo, pastNotes } from "./refusal.js";
import { endButtons } from "./rematch.js";
import { isSlip, placesToRing, SlipSheet } from "./slip.js";
import { Timer } from "./timer.js";

/**
 * @typedef {{page: HTMLElement, table: import("./table.js").Table, outbox: import("./outbox.js").Outbox,
 *   panel: import("./panel.js").Panel, board: import("./board.js").Board, strip: import("./strip.js").Strip,
 *   ahead: import("./ahead.js").Ahead, last: import("./last.js").Last, stream: import("./stream.js").Stream,
 *   ours: Set<number>, record: Recorder, isLocked: () => boolean,
 *   onTap: (entry: Entry, button: Element | null) => void, onOpen: (line: StoryLine) => void, onChoose: () => void,
 *   announce: (text: string) => void}} Parts
 *   `ours`: the events that this page recorded; `onChoose()`: ask for the result of the rejected tap
 */

export class Later {
  /** @param {Parts} parts  of the page */
  constructor(parts) {
    const { page, table, outbox, strip, ahead, record, onTap, onOpen, onChoose, announce } = parts;
    this.parts = parts;
    this.sheets = { openEvent, openMore, rangeForm };
    this.passage = new Passage($("passage"));
    this.timer = new Timer($("timer"), table, { onTap, say: announce });
    this.slips = new SlipSheet($("slip"), $("slip-bar"), table, {
      onExplained: (events) => outbox.explain(table.version, events),
      onAnyway: (note) => outbox.insist(table.version, note),
      onCancel: () => outbox.drop(table.version),
    });
    this.feed = new Feed($("feed"), $("earlier"), { onOpen });
    /** The decisions about a rejected tap. */
    this.answers = answersTo(table, outbox, { record, onChoose });
    listenToKeys(page);
    stayAwake();
    ahead.judge = new Judge(page.dataset, ahead);
    install().then(() => ahead.judge?.start());
    if (strip.summary) this.show(strip.summary);
    this.follow();
  }

  /** Follow the stream of events, unless the table is not read yet. */
  follow() {
    const { table, stream, last } = this.parts;
    if (table.isRead && !last.at) stream.open(follow);
  }

  /** Show the passage and the colours of a picture. @param {Summary} summary */
  show(summary) {
    this.passage.show(summary.passage);
    this.feed.colours = new Map(summary.players.map((player) => [player.seat, player.colour]));
  }

  /** The rejected tap that is shown with its explanations. */
  get slip() {
    const { refusedTap: refused } = this.parts.outbox;
    return isSlip(refused) ? refused : null;
  }

  /** The sentence for the strip about that tap; null if there is none. */
  get refusal() {
    return this.slip && { text: reasonOf(this.slip.problem) ?? "", isRefused: true };
  }

  render() {
    const { page, table, outbox, panel, board, ahead, last, ours } = this.parts;
    const { slip, answers } = this;
    pastNotes(table, outbox);
    this.slips.render(slip);
    page.classList.toggle("is-explaining", slip !== null);
    board.ring(placesToRing(slip));
    const meanwhile = outbox.refusedTap ? table.story.slice(outbox.refusedTap.base ?? 0) : [];
    const others = meanwhile.filter((line) => !ours.has(line.seq));
    const refusal = panel.question?.isBound || slip ? null : refusedNotice(outbox, others, answers);
    const offline = offlineNotice(outbox, ahead.stuck && ahead.stuckReason, () => ahead.discard());
    renew($("notices"), [lastSeenNotice(last.at), offline, refusal].filter(isShown));
    this.timer.render();
    this.feed.render(table.story, outbox.taps);
  }

  /** The buttons after the end of the game. */
  endButtons() {
    const { page, table, record, isLocked } = this.parts;
    return endButtons(page, table, (event, label) => isLocked() || record(event, label));
  }
}
