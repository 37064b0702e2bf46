// The client: openapi-fetch on the types of the contract, and what a program wants besides.
import createClient, { type Middleware, type Client as OpenApi } from "openapi-fetch";
import type { components, operations, paths } from "./contract.js";
import { JobFailed, Unreachable } from "./problems.js";
import { type Fetch, pause, retrying } from "./retrying.js";
import { chunks, type Message, Reader } from "./streams.js";

type Schemas = components["schemas"];
type Filters = Omit<NonNullable<operations["findGames"]["parameters"]["query"]>, "limit" | "cursor">;

/** Addresses whose POST heeds an `Idempotency-Key`: tsc holds them against the contract. */
type Keyed = {
  [Path in keyof paths]: "Idempotency-Key" extends HeadersOf<paths[Path]["post"]> ? Path : never;
}[keyof paths];
type HeadersOf<Operation> = Operation extends { parameters: { header?: infer Header } }
  ? [Header] extends [undefined]
    ? never
    : keyof NonNullable<Header>
  : never;
const KEYED: Record<Keyed, true> = {
  "/v1/games": true,
  "/v1/games/{game_id}/forks": true,
  "/v1/games/{game_id}/events": true,
  "/v1/imports": true,
  "/v1/plays": true,
  "/v1/exports": true,
};

/** Milliseconds of silence after which a stream is taken for broken: there is a sign of life every 15 seconds. */
const SILENCE = 45_000;
/** How long to wait, at the most, until long work is asked after again. */
const POLL = 1_000;

export interface ClientOptions {
  /** By which the service lets the caller in; an open one asks for none. */
  token?: string;
  /** Seconds for which a request is tried (default: 30). */
  patience?: number;
  /** To reach the service by. */
  fetch?: Fetch;
}

/** A message of a game's stream: an event, or what does not stand any more since event `by`. */
export type GameMessage =
  | { kind: "recorded"; event: Schemas["Event"] }
  | { kind: "superseded"; by: number; superseded: [number, number][]; version: number; head: string; turn: number };

/** A message of the library's stream: an event at its place, or that what came before is not kept. */
export type LibraryMessage = { kind: "told"; place: string; event: Schemas["LibraryEvent"] } | { kind: "missed" };

/** What an answer of `api` says; what the service refuses is thrown. */
export async function told<Data>(answer: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await answer;
  if (data === undefined || data === null) throw new Unreachable("the answer is empty");
  return data;
}

/** An entry of the legal actions as what to append; `outcomes` is what came up on the table. */
export function draft(action: Schemas["LegalAction"], ...outcomes: (string | number | null)[]): Schemas["NewEvent"] {
  const { type, actor, params } = action;
  return { type, actor, params, outcomes };
}

/** Speaks to the service at `url`. */
export class Client {
  /** Every operation of the contract, typed: `told(client.api.GET("/v1/games/{game_id}", …))`. */
  readonly api: OpenApi<paths>;

  constructor(url: string, { token, patience = 30, fetch = globalThis.fetch }: ClientOptions = {}) {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const querySerializer = { array: { style: "form", explode: false } } as const;
    this.api = createClient<paths>({ baseUrl: url, headers, querySerializer, fetch: retrying(fetch, patience) });
    this.api.use(keying);
  }

  /** All games that fit, newest first: page by page. */
  async *eachGame(filters: Filters = {}): AsyncGenerator<Schemas["ListedGame"], void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { ...filters, limit: 200, ...(cursor === undefined ? {} : { cursor }) };
      const page = await told(this.api.GET("/v1/games", { params: { query } }));
      yield* page.games;
      cursor = page.next_cursor;
    }
  }

  /**
   * The log as it grows, from the event after `after`: what is there at once, the rest as it is recorded. Where the
   * connection ends it goes on behind the last event. It is over with event `until`, and with a seeded game.
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

  /** Every event of every game that fits, from now on, or from the place `after`: until `signal` ends it. */
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

  /** The log of a game in a format, as it comes; where a worker has to make it first, once it has. */
  async *exportGame(gameId: string, query: ExportQuery = {}): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const params = { path: { game_id: gameId }, query };
      const { data, response } = await this.api.GET("/v1/games/{game_id}/export", { params, parseAs: "stream" });
      if (data === undefined || data === null) throw new Unreachable("the answer is empty");
      if (response.status !== 202) {
        yield* data as AsyncIterable<Uint8Array>;
        return;
      }
      await this.finished(await new Response(data).json());
    }
  }

  /** Long work, once it is done. */
  finished(job: Schemas["Job"]): Promise<Schemas["Job"]> {
    const path = { job_id: job.id };
    return done(job, () => told(this.api.GET("/v1/jobs/{job_id}", { params: { path } })));
  }

  /** The report of an audit, once it is done. */
  async audited(gameId: string, order: Schemas["OrderAudit"] = {}): Promise<Schemas["Audit"]> {
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

/** What is written has a key: its caller's, or one of its own for all attempts. */
const keying: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method === "POST" && schemaPath in KEYED && !request.headers.has("Idempotency-Key")) {
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
