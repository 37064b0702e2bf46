// Record a game with a client generated from openapi.yaml by openapi-typescript and openapi-fetch: node record.ts URL
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.d.ts";

type LegalAction = components["schemas"]["LegalAction"];
type NewEvent = components["schemas"]["NewEvent"];

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

function must<Data>({ data, error }: { data?: Data; error?: unknown }): NonNullable<Data> {
  if (data === undefined || data === null) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

/** Record at an observed table: answer the service's questions value by value until the setup is complete. */
async function setUp(game_id: string): Promise<number> {
  const path = { game_id };
  const draft: NewEvent = { type: "set_up", params: {}, outcomes: [] };
  for (;;) {
    const judged = await client.POST("/v1/games/{game_id}/events", {
      params: { path, query: { dry_run: true } },
      body: draft,
    });
    if (judged.response.status === 200) break;
    const [first] = judged.error?.chance?.outcomes ?? [];
    if (first === undefined) throw new Error(`refused: ${JSON.stringify(judged.error)}`);
    draft.outcomes = [...(draft.outcomes ?? []), first.value];
  }
  const appended = await client.POST("/v1/games/{game_id}/events", {
    params: { path, header: { "If-Match": '"1"', "Idempotency-Key": "set-up" } },
    body: draft,
  });
  return must(appended).version;
}

function body({ type, actor, params, chance }: LegalAction): NewEvent {
  return { type, actor, params, outcomes: chance.slice(0, 1).map((point) => point.outcomes[0]?.value ?? null) };
}

const ruleset = "forbidden-island";
const seats = [{ name: "Ann" }, { name: "Bob" }];
const opened = must(
  await client.POST("/v1/games", { body: { ruleset, seats, chance: "observed", tags: ["generated"] } }),
);
const path = { game_id: opened.id };
let version = await setUp(opened.id);

const stale = await client.POST("/v1/games/{game_id}/events", {
  params: { path, header: { "If-Match": '"1"' } },
  body: { type: "annotate", params: { text: "too late" } },
});
if (stale.response.status !== 412 || stale.error?.version !== version) throw new Error("a stale append is refused");

for (let outcome: components["schemas"]["GameOutcome"] | null = null; outcome === null; ) {
  const { actions } = must(await client.GET("/v1/games/{game_id}/actions", { params: { path } }));
  // The last legal action ends a turn sooner or later, and an island that nobody saves sinks.
  const action = actions.findLast((one) => one.chance.length < 2);
  if (action === undefined) throw new Error("nothing can be done");
  const append = await client.POST("/v1/games/{game_id}/events", { params: { path }, body: body(action) });
  const appended = must(append);
  version = appended.version;
  outcome = appended.outcome;
}

const ordered = await client.POST("/v1/games/{game_id}/audits", { params: { path }, body: {} });
let audit = must(ordered);
while (audit.status !== "done" && audit.status !== "failed") {
  await new Promise((resolve) => setTimeout(resolve, 50));
  const following = { params: { path: { ...path, audit_id: audit.id } } };
  audit = must(await client.GET("/v1/games/{game_id}/audits/{audit_id}", following));
}
const { seats: seated, status } = must(await client.GET("/v1/games/{game_id}", { params: { path } }));
console.log(JSON.stringify({ id: opened.id, status, version, verdict: audit.verdict, seats: seated.length }));
