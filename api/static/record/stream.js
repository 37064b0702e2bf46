// The stream of the game's events: it tells the page what others recorded.

export class Stream {
  /**
   * @param {import("./table.js").Table} table
   * @param {import("./outbox.js").Outbox} outbox
   * @param {{onNews: () => void, onChange: () => void}} listeners
   *   `onNews()`: the service has events that the page lacks; `onChange()`: the connection has changed
   */
  constructor(table, outbox, { onNews, onChange }) {
    this.table = table;
    this.outbox = outbox;
    this.listeners = { onNews, onChange };
    /** The newest version that the stream reported. */
    this.heard = 0;
    this.isOpen = false;
    this.isConnected = false;
    this.isRefused = false;
  }

  /** @param {typeof import("../live.js").follow} follow */
  open(follow) {
    if (this.isOpen) return;
    this.isOpen = true;
    follow(`${this.table.url}/stream`, {
      after: this.table.version,
      onEvent: ({ seq }) => this.noteVersion(seq),
      // Events were superseded.
      onMessage: (_, data) => this.noteVersion(/** @type {{version: number}} */ (data).version),
      onState: (state) => {
        this.isOpen = state !== "ended";
        this.isConnected = state !== "waiting" && state !== "refused";
        this.isRefused = state === "refused";
        // Without a stream, reload at each connection attempt.
        if (!this.isConnected && navigator.onLine) this.noteVersion();
        this.listeners.onChange();
      },
    });
  }

  /** An event was recorded, here or elsewhere; the answer to a tap already contains our own. @param {number} [version] */
  noteVersion(version = Number.POSITIVE_INFINITY) {
    const { table, outbox } = this;
    if (Number.isFinite(version)) this.heard = Math.max(this.heard, version);
    if (version > table.version && (outbox.waiting === 0 || outbox.isOffline)) this.listeners.onNews();
  }
}
