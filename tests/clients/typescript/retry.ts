// Append and watch through a network that loses answers: node retry.ts URL
import { Client, draft, Problem, told } from "driftlog-client";

declare const process: { argv: string[] };

const driftlog = new Client(process.argv[2] ?? "", { patience: 60, token: "t0ken" });
const { api } = driftlog;
const seats = [{ name: "Ann" }, { name: "Bob" }];

const body = { ruleset: "forbidden-island", seats, chance: "seeded" } as const;
const game = await told(api.POST("/v1/games", { body }));
const params = { path: { game_id: game.id } };
const { actions } = await told(api.GET("/v1/games/{game_id}/actions", { params }));
const first = actions[0];
if (first === undefined) throw new Error("nothing can be done");
await told(api.POST("/v1/games/{game_id}/events", { params, body: draft(first) }));
const abandon = { type: "abandon", params: { reason: "dinner" } };
const { version } = await told(api.POST("/v1/games/{game_id}/events", { params, body: abandon }));

const { token } = await told(api.POST("/v1/games/{game_id}/shares", { params }));

const heard: number[] = [];
for await (const message of driftlog.watchGame(game.id)) if (message.kind === "recorded") heard.push(message.event.seq);
const nowhere = await new Client("http://127.0.0.1:1", { patience: 0 }).api.GET("/healthz").catch(String);
const missing = await api.GET("/v1/games/{game_id}", { params: { path: { game_id: "nowhere" } } }).catch((error) => error);

console.log(JSON.stringify({ id: game.id, version, token, heard, nowhere, missing: missing instanceof Problem && missing.slug }));
