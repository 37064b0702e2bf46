// The client: openapi-fetch with the types of the contract, plus helpers.
import createClient, { type Middleware, type Client as OpenApi } from "openapi-fetch";
import type { components, operations, paths } from "./contract.js";
import { JobFailed, Unreachable } from "./problems.js";
import { type Fetch, pause, retrying } from "./retrying.js";
import { chunks, type Message, Reader } from "./streams.js";

type Schemas = components["schemas"];
type Filters = Omit<NonNullable<operations["findGames"]["parameters"]["query"]>, "limit" | "cursor">;

/** Milliseconds of silence after which a stream counts as broken; the service sends a heartbeat every 15 seconds. */
const SILENCE = 45_000;
/** The longest wait between two polls of a job. */
const POLL = 1_000;

export interface ClientOptions {
  /** The caller's token; an open service needs none. */
  token?: string;
  /** Seconds for which a request is retried (default: 30). */
  patience?: number;
  /** The `fetch` function to use. */
  fetch?: Fetch;
}

/** A message of a game's stream: an event, or the events superseded by event `by`. */
export type GameMessage =
  | { kind: "recorded"; event: Schemas["Event"] }
  | { kind: "superseded"; by: number; superseded: [number, number][]; version: number; head: string; turn: number };

/** A message of the library's stream: an event with its position, or a notice that earlier messages were dropped. */
export type LibraryMessage = { kind: "told"; place: string; event: Schemas["LibraryEvent"] } | { kind: "missed" };

/** The data of a response of `api`; throws on a rejection. */
export async function told<Data>(answer: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw new Unreachable("the answer is empty");
  return data;
}

/** The event to append for a legal action; `outcomes` has the table's results. */
export function draft(action: Schemas["LegalAction"], ...outcomes: (string | number | null)[]): Schemas["NewEvent"] {
  const { type, actor, params } = action;
  return { type, actor, params, outcomes };
}

/** A client of the service at `url`. */
export class Client {
  /** Every operation of the contract, typed: `told(client.api.GET("/v1/games/{game_id}", …))`. */
  readonly api: OpenApi<paths>;

  constructor(url: string, { token, patience = 30, fetch = globalThis.fetch }: ClientOptions = {}) {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const querySerializer = { array: { style: "form", explode: false } } as const;
    this.api = createClient<paths>({ baseUrl: url, headers, querySerializer, fetch: retrying(fetch, patience) });
    this.api.use(keying);
  }

  /** All matching games, newest first, fetched page by page. */
  async *eachGame(filters: Filters = {}): AsyncGenerator<Schemas["ListedGame"], void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { ...filters, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
      const page = await told(this.api.GET("/v1/games", { params: { query } }));
      yield* page.games;
      cursor = page.next_cursor;
    }
  }

  /**
   * The log from the event after `after`: first the recorded events, then new ones. Reconnects after the last event if
   * the connection ends. Ends with event `until`, and when a seeded game is over.
   */
  async *watchGame(
    gameId: string,
    { after = 0, viewer, until, signal }: WatchOptions = {},
  ): AsyncGenerator<GameMessage, void> {
    const query = { ...(viewer && { viewer }), ...(until && { until }) };
    const reader = new Reader(after === 0 ? "" : String(after));
    const connect = (header: Resumed) =>
      this.api.GET("/v1/games/{game_id}/stream", {
        params: { path: { game_id: gameId }, query, header },
        parseAs: "stream",
        ...(signal && { signal }),
      });
    for await (const { name, data } of messages(reader, connect)) {
      const document = JSON.parse(data);
      yield name === "superseded" ? { kind: name, ...document } : { kind: "recorded", event: document };
      if (name === "" && document.seq === until) return;
    }
  }

  /** Every event of every matching game, from now on or from position `after`, until `signal` aborts. */
  async *watchLibrary({
    after = "",
    signal,
    ...query
  }: Filters & { after?: string; signal?: AbortSignal } = {}): AsyncGenerator<LibraryMessage, void> {
    const reader = new Reader(after);
    const connect = (header: Resumed) =>
      this.api.GET("/v1/stream", { params: { query, header }, parseAs: "stream", ...(signal && { signal }) });
    for await (const { name, data } of messages(reader, connect)) {
      yield name === "missed" ? { kind: name } : { kind: "told", place: reader.lastId, event: JSON.parse(data) };
    }
  }

  /** The log of a game in a format, streamed; waits if a worker makes the file first. */
  async *exportGame(gameId: string, query: ExportQuery = {}): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const params = { path: { game_id: gameId }, query };
      const { data, response } = await this.api.GET("/v1/games/{game_id}/export", { params, parseAs: "stream" });
      if (data === undefined || data === null) throw new Unreachable("the answer is empty");
      if (response.status !== 202) {
        yield* data as AsyncIterable<Uint8Array>;
        return;
      }
      await this.waitForJob(await new Response(data).json());
    }
  }

  /** Wait for a job and return it. */
  waitForJob(job: Schemas["Job"]): Promise<Schemas["Job"]> {
    const path = { job_id: job.id };
    return done(job, () => told(this.api.GET("/v1/jobs/{job_id}", { params: { path } })));
  }

  /** Wait for an audit and return its report. */
  async runAudit(gameId: string, order: Schemas["OrderAudit"] = {}): Promise<Schemas["Audit"]> {
    const path = { game_id: gameId };
    const audit = await told(this.api.POST("/v1/games/{game_id}/audits", { params: { path }, body: order }));
    const params = { path: { ...path, audit_id: audit.id } };
    return done(audit, () => told(this.api.GET("/v1/games/{game_id}/audits/{audit_id}", { params })));
  }
}

export interface WatchOptions {
  after?: number;
  viewer?: Schemas["Viewer"];
  until?: number;
  signal?: AbortSignal;
}

export type ExportQuery = NonNullable<operations["exportGame"]["parameters"]["query"]>;

type Resumed = { "Last-Event-ID"?: string };
type Stream = { data?: ReadableStream<Uint8Array> | null; response: Response };

/** Give every POST an idempotency key: the caller's, or a new one for all attempts. */
const keying: Middleware = {
  onRequest({ request }) {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    return request;
  },
};

async function* messages(reader: Reader, connect: (header: Resumed) => Promise<Stream>): AsyncGenerator<Message, void> {
  for (;;) {
    const { data, response } = await connect(reader.lastId === "" ? {} : { "Last-Event-ID": reader.lastId });
    if (response.status === 204 || !data) return;
    reader.begin();
    for await (const chunk of chunks(data, SILENCE)) yield* reader.read(chunk);
    await pause(reader.pause);
  }
}

async function done<Work extends { status: Schemas["JobStatus"]; error: string | null }>(
  work: Work,
  ask: () => Promise<Work>,
): Promise<Work> {
  for (let milliseconds = 50; work.status !== "done"; milliseconds = Math.min(2 * milliseconds, POLL)) {
    if (work.status === "failed") throw new JobFailed(work.error ?? "it failed");
    await pause(milliseconds);
    work = await ask();
  }
  return work;
}
