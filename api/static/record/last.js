// The table as this phone has seen it last: kept for when there is no network, and told as what it is.

import { forgetTables, keepTable, keptTable } from "../keeping.js";

const PAUSE = 500; // ms until it is kept, once no more comes

export class Last {
  /** @param {import("./table.js").Table} table @param {import("./board.js").Board} board */
  constructor(table, board) {
    this.table = table;
    this.board = board;
    /** When the table on the screen was seen, in ms, where that is not now. */
    this.at = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** Keep the table as it is, unless it is itself what was kept. */
  keep() {
    clearTimeout(this.timer);
    if (this.at) return;
    const { picture, layout } = this.board;
    const { kept, url } = this.table;
    this.timer = setTimeout(() => keepTable(url, { table: kept, at: Date.now(), picture, layout }), PAUSE);
  }

  /** Have the table be as it was seen last, where that was kept; its picture, as far as it fits this screen. @returns {Promise<string | null>} */
  async restore() {
    const kept = await keptTable(this.table.url);
    if (!kept || this.table.isRead) return null;
    this.table.restore(kept.table);
    this.at = kept.at;
    return kept.layout === this.board.layout ? kept.picture : null;
  }

  /** One may not see the game any more: nothing of it stays. */
  async leave() {
    clearTimeout(this.timer);
    await forgetTables();
    if (!this.table.isRead || this.at) location.reload();
  }
}
