// How live streams are read: Server-Sent Events, as WHATWG's HTML has them.

export interface Message {
  /** Empty for the plain ones. */
  name: string;
  data: string;
}

/** Reads one connection of a stream after the other, and keeps where to go on. */
export class Reader {
  /** Of the last message that was received; empty for none. */
  lastId: string;
  /** Milliseconds to wait before the next connection, as the service has them. */
  pause = 1_000;
  #decoder = new TextDecoder();
  #rest = "";
  #name = "";
  #id: string;
  #data: string[] = [];

  constructor(lastId = "") {
    this.lastId = lastId;
    this.#id = lastId;
  }

  /** A new connection: what the last one left unfinished is nothing. */
  begin(): void {
    this.#decoder = new TextDecoder();
    this.#rest = this.#name = "";
    this.#id = this.lastId;
    this.#data = [];
  }

  /** The messages that are whole with it. */
  *read(chunk: Uint8Array): Generator<Message, void> {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = this.#line(line.replace(/\r$/, ""));
      if (message !== undefined) yield message;
    }
  }

  #line(line: string): Message | undefined {
    if (line === "") return this.#dispatch();
    const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
    else if (field === "id") this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.pause = Number(value);
    return undefined;
  }

  #dispatch(): Message | undefined {
    this.lastId = this.#id;
    const message = this.#data.length > 0 ? { name: this.#name, data: this.#data.join("\n") } : undefined;
    this.#name = "";
    this.#data = [];
    return message;
  }
}

/** The chunks of a body; they end where it breaks, or is silent for so many milliseconds. */
export async function* chunks(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silent = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, silence);
      });
      const read = await Promise.race([reader.read().catch(() => undefined), silent]);
      clearTimeout(timer);
      if (read === undefined || read.done) return;
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
