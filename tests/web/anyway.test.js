// Illegal actions that a table may have taken with a place or a card.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deedsAbout, likely } from "../../api/static/record/anyway.js";

const TILE = { enum: ["gold_gate", "watchtower"] };
const SEAT = { enum: ["p1", "p2", "p3", "p4"] };
const KINDS = [
  { type: "move", params: { properties: { to: TILE }, required: ["to"] } },
  {
    type: "shore_up",
    params: { properties: { tiles: { type: "array", items: TILE, minItems: 1 } }, required: ["tiles"] },
  },
  { type: "navigate", params: { properties: { seat: SEAT, to: TILE }, required: ["seat", "to"] } },
  {
    type: "sandbags",
    any_time: true,
    params: { properties: { tile: { $ref: "#/$defs/T" } }, required: ["tile"], $defs: { T: TILE } },
  },
  { type: "give", params: { properties: { to: SEAT, card: { enum: ["lift"] } }, required: ["to", "card"] } },
  { type: "choose", params: { properties: { number: { type: "integer" } }, required: ["number"] } },
  { type: "sail", params: { properties: { to: { type: "string" }, name: { type: "string" } }, required: ["to"] } },
  { type: "two", params: { properties: { from: TILE, to: TILE }, required: ["from", "to"] } },
  { type: "both", params: { properties: { huts: { type: "array", items: TILE, minItems: 2 } }, required: ["huts"] } },
  { type: "end", params: {} },
];
const SEATS = ["p1", "p2", "p3"];

test("a tile is moved to, shored up, or somebody else is sent there", () => {
  const deeds = deedsAbout(KINDS, "gold_gate", "p1", SEATS);
  assert.deepEqual(
    deeds.map(({ type, params }) => [type, params]),
    [
      ["move", { to: "gold_gate" }],
      ["shore_up", { tiles: ["gold_gate"] }],
      ["navigate", { seat: "p2", to: "gold_gate" }],
      ["navigate", { seat: "p3", to: "gold_gate" }],
      ["sandbags", { tile: "gold_gate" }],
    ],
  );
  assert.ok(deeds.every(({ actor }) => actor === "p1"));
});

test("a card is given to somebody else at the table", () => {
  assert.deepEqual(
    deedsAbout(KINDS, "lift", "p2", SEATS).map(({ params }) => params.to),
    ["p1", "p3"],
  );
});

test("a place of a named param is that param's alone, as a number or a word", () => {
  assert.deepEqual(deedsAbout(KINDS, "number:3", "p1", SEATS)[0], {
    type: "choose",
    actor: "p1",
    params: { number: 3 },
  });
  assert.deepEqual(
    deedsAbout(KINDS, "to,space:b5", "p1", SEATS).map(({ type, params }) => [type, params]),
    [["sail", { to: "b5" }]],
  );
});

test("what is on offer just now is likelier, and what is played at any time is not", () => {
  const deeds = deedsAbout(KINDS, "gold_gate", "p1", SEATS);
  assert.deepEqual(
    likely(deeds, KINDS, [{ type: "move" }]).map(({ type }) => type),
    ["move"],
  );
  assert.deepEqual(likely(deeds, KINDS, [{ type: "move" }, { type: "sandbags" }]), [deeds[0]]);
  assert.ok(!likely(deeds, KINDS, []).some(({ type }) => type === "sandbags"));
  const [only] = deedsAbout(KINDS.slice(3, 4), "gold_gate", "p1", SEATS);
  assert.deepEqual(likely([only], KINDS, []), [only]);
});
