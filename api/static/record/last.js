// The last table that this phone saw, stored for use without a network and marked as old.

import { forgetTables, keepTable, keptTable } from "../keeping.js";

const PAUSE = 500; // ms without a change before the table is stored

export class Last {
  /** @param {import("./table.js").Table} table @param {import("./board.js").Board} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    /** The time (ms) at which the shown table was seen; undefined if it is current. */
    this.at = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Store the table, unless it is the stored one. @param {LogEvent[]} log */
  keep(log) {
    clearTimeout(this.timer);
    if (this.at) return;
    const { picture, layout } = this.board;
    const { snapshot: kept, url } = this.table;
    this.timer = setTimeout(() => keepTable(url, { table: kept, log, at: Date.now(), picture, layout }), PAUSE);
  }

  /**
   * Restore the stored table. Return its log, and its picture if it fits this screen.
   * @returns {Promise<{log: LogEvent[], picture: string | null} | null>}
   */
  async restore() {
    const kept = await keptTable(this.table.url);
    if (!kept || this.table.isRead) return null;
    this.table.restore(kept.table);
    this.at = kept.at;
    return { log: kept.log, picture: kept.layout === this.board.layout ? kept.picture : null };
  }

  /** Delete the stored table, because the user may no longer see the game. */
  async leave() {
    clearTimeout(this.timer);
    await forgetTables();
    if (!this.table.isRead || this.at) location.reload();
  }
}
