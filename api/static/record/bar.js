// The bar at the bottom: the last event, undo and redo, and the connection status.

import { $ } from "../ui.js";
import { capitalize, say } from "../words.js";

/** @typedef {import("./history.js").Step} Step */

export class Bar {
  /**
   * @param {HTMLElement} page
   * @param {import("./table.js").Table} table
   * @param {import("./outbox.js").Outbox} outbox
   * @param {{record: Recorder, isLocked: () => boolean}} listeners
   */
  constructor(page, table, outbox, listeners) {
    this.page = page;
    this.table = table;
    this.outbox = outbox;
    this.listeners = listeners;
  }

  /**
   * @param {{isConnected: boolean, isRefused: boolean, isBusy: boolean, lastSeen: number,
   *   history: {undo: Step | null, redo: Step | null}}} now
   */
  render({ isConnected, isRefused, isBusy, lastSeen, history }) {
    const { table, outbox } = this;
    const { turn, phase, awaiting } = table.now;
    const isOver = Boolean(table.game.outcome);
    // The awaited player is not always the active one.
    const whose = table.story.findLast((line) => line.turn === turn)?.seat;
    const isOther = whose && awaiting.length && !awaiting.includes(whose);
    const its = isOther ? say("Turn {turn}: {name}", { turn, name: table.name(whose) }) : say("Turn {turn}", { turn });
    const said = table.ruleset.phases[phase] ?? say("Setup");
    const now = turn ? `${its} · ${said}` : capitalize(said);
    $("when").textContent = isOver ? say("After turn {turn}", { turn }) : now;
    $("whose").textContent = isOver ? say("The game has ended") : table.names(awaiting);
    const link = isConnected ? say("Live") : isRefused ? say("Signed out") : say("Connecting…");
    const sending = outbox.waiting ? say("Sending…") : link;
    $("link").textContent = outbox.isOffline ? say("Offline") : sending;
    $("link").className = `chip ${outbox.isOffline || !isConnected ? "sand" : "good"}`;
    $("todo").setAttribute("aria-busy", String(isBusy));
    this.page.classList.toggle("is-last", lastSeen > 0);
    $("last").textContent = history.undo ? history.undo.line.sentence : "";
    $("last").hidden = !history.undo;
    $("last").classList.toggle("is-sending", outbox.waiting > 0);
    const why = this.whyNot(history.undo);
    if (why) $("when").textContent = why;
    $("when").classList.toggle("is-reason", Boolean(why));
    this.tapOnce($("undo"), why ? null : history.undo, say("Undo"));
    this.tapOnce($("redo"), history.redo, say("Redo"));
    $("redo").hidden = !history.redo;
  }

  /** The reason why this phone may not undo an event; empty if it may. @param {Step | null} step */
  whyNot(step) {
    const { role, name } = this.page.dataset;
    const by = step && this.table.story[step.line.seq - 1]?.recorded_by;
    return role === "recorder" && by && by !== name ? say("Only {who} or an arbiter can undo this.", { who: by }) : "";
  }

  /**
   * Update the undo or redo button; its title names the event.
   * @param {HTMLElement} button
   * @param {Step | null} step
   * @param {string} label
   */
  tapOnce(button, step, label) {
    const { record, isLocked } = this.listeners;
    button.setAttribute("aria-disabled", String(!step));
    button.setAttribute("aria-label", step ? `${label}: ${step.line.sentence}` : label);
    button.onclick = () => {
      if (step && !isLocked())
        record({ type: "undo", actor: null, params: { to: step.to } }, `${label}: ${step.line.sentence}`);
    };
  }
}
