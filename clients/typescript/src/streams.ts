// Read live streams: Server-Sent Events, as in the WHATWG HTML standard.

export interface Message {
  /** The event name; empty for the default. */
  name: string;
  data: string;
}

/** Reads the connections of a stream one after the other, and keeps the position. */
export class Reader {
  /** The id of the last message; empty for none. */
  lastId: string;
  /** Milliseconds to wait before the next connection, as sent by the service. */
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

  /** Start a new connection: drop an unfinished message of the previous connection. */
  begin(): void {
    this.#decoder = new TextDecoder();
    this.#rest = this.#name = "";
    this.#id = this.lastId;
    this.#data = [];
  }

  /** The messages that this chunk completes. */
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

/** The chunks of a body, until it breaks or is silent for this many milliseconds. */
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
