// Record, correct, watch and export a game with the package in clients/typescript: node record.ts URL
import { Client, draft, type GameMessage, Problem, told } from "driftlog-client";

declare const process: { argv: string[] };

const driftlog = new Client(process.argv[2] ?? "", { patience: 60 });
const { api } = driftlog;

async function refused(answer: Promise<unknown>): Promise<Problem> {
  const problem = await answer.then(() => undefined, (error: unknown) => error);
  if (!(problem instanceof Problem)) throw new Error(`not refused: ${problem}`);
  return problem;
}

const game = await told(
  api.POST("/v1/games", {
    body: {
      ruleset: "forbidden-island",
      seats: [{ name: "Ann" }, { name: "Bob" }],
      chance: "seeded",
      seed: "a rainy night",
      tags: ["typescript"],
    },
  }),
);
const path = { game_id: game.id };
const append = (body: ReturnType<typeof draft>, header = {}) =>
  told(api.POST("/v1/games/{game_id}/events", { params: { path, header }, body }));

const illegal = await refused(append({ type: "draw_flood_card", actor: "p1" }));
await append({ type: "annotate", params: { text: "a slip" } });
await append({ type: "undo", params: { to: 2 } }, { "If-Match": '"3"' });
const stale = await refused(append({ type: "undo", params: { to: 2 } }, { "If-Match": '"3"' }));

const heard: GameMessage[] = [];
const listening = (async () => {
  for await (const message of driftlog.watchGame(game.id, { after: 1 })) heard.push(message);
})();
let outcome = game.outcome;
while (outcome === null) {
  // The last legal action ends a turn sooner or later, and an island that nobody saves sinks.
  const { actions } = await told(api.GET("/v1/games/{game_id}/actions", { params: { path } }));
  const last = actions.at(-1);
  if (last === undefined) throw new Error("nothing can be done");
  outcome = (await append(draft(last))).outcome;
}
await listening;

const decoder = new TextDecoder();
let log = "";
for await (const chunk of driftlog.exportGame(game.id, { format: "ndjson" })) log += decoder.decode(chunk, { stream: true });
let bytes = 0;
for await (const chunk of driftlog.exportGame(game.id, { format: "gif" })) bytes += chunk.length;
const audit = await driftlog.runAudit(game.id);
const job = await told(api.POST("/v1/exports", { body: { format: "ndjson", tag: "typescript" } }));
const exported = await driftlog.waitForJob(job);
const library = new AbortController();
let first = "";
for await (const message of driftlog.watchLibrary({ after: "0-0", signal: library.signal })) {
  if (message.kind === "missed") continue;
  first = message.event.data.event.type;
  break;
}
const found: string[] = [];
for await (const one of driftlog.eachGame({ tag: "typescript" })) found.push(one.id);

console.log(
  JSON.stringify({
    id: game.id,
    illegal: [illegal.slug, illegal.document.rule],
    stale: [stale.status, stale.document.version],
    superseded: heard.flatMap((one) => (one.kind === "superseded" ? one.superseded : [])),
    heard: heard.flatMap((one) => (one.kind === "recorded" ? [one.event.seq] : [])),
    log: log.trim().split("\n").length,
    gif: bytes > 0,
    verdict: audit.verdict,
    exported: exported.result !== null,
    first,
    found,
  }),
);
