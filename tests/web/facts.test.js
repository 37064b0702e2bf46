// What a table says of itself: what is offered, what becomes of it, and how a change is told.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Browser } from "./browser.js";

new Browser();
const { Facts } = await import("../../api/static/record/facts.js");

const SEATS = ["p1", "p2", "p3", "p4"];
const object = (properties) => ({ type: "object", properties });
const KINDS = [
  {
    fact: "has_cards",
    summary: "How many of a card a player has.",
    about: ["seat", "card"],
    is_derived: false,
    schema: object({
      fact: { enum: ["has_cards"] },
      seat: { enum: SEATS },
      card: { enum: ["sandbags", "earth_stone"] },
      count: { type: "integer", minimum: 0, default: 1 },
    }),
  },
  {
    fact: "turn_of",
    summary: "Whose turn it is.",
    about: [],
    is_derived: false,
    schema: object({ fact: { enum: ["turn_of"] }, seat: { anyOf: [{ enum: SEATS }, { type: "null" }] } }),
  },
  {
    fact: "pile_is",
    summary: "What lies in the pile.",
    about: [],
    is_derived: false,
    schema: object({ layers: { type: "array" }, yes: { type: "boolean" } }),
  },
  { fact: "hand_is", summary: "How many cards a player has.", about: ["seat"], is_derived: true, schema: object({}) },
];
const HELD = { fact: "has_cards", seat: "p1", card: "sandbags", count: 1 };
const TURN = { fact: "turn_of", seat: "p2" };
const PILE = { fact: "pile_is", layers: [["sandbags"], []], yes: true };
const TOLD = {
  version: 3,
  facts: [HELD, { fact: "hand_is", seat: "p1", count: 1 }, TURN, PILE],
  sentences: ["Ann has the Sandbags.", "Ann has 1 card.", "It is Bob's turn.", "The pile is open."],
};

const TITLES = { seat: "Seat", card: "Card", count: "Count", layers: "Layers", yes: "Yes" };

let facts;

beforeEach(() => {
  facts = new Facts(
    { facts: KINDS, words: { earth_stone: "Earth Stone", sandbags: "Sandbags", hut_1: "hut 1" }, titles: TITLES },
    TOLD,
    ["Ann", "Bob"],
  );
});

const sentences = (said) => said.map((one) => one.sentence);
const groups = (found) => [...found].map(([title, said]) => [title, sentences(said)]);

test("what follows from other facts is not offered", () => {
  assert.deepEqual([...facts.kinds.keys()], ["has_cards", "turn_of", "pile_is"]);
  assert.deepEqual(sentences(facts.said), ["Ann has the Sandbags.", "It is Bob's turn.", "The pile is open."]);
});

test("it is found by words, in any order", () => {
  assert.deepEqual(sentences(facts.search(" sandBAGS ann")), ["Ann has the Sandbags."]);
  assert.deepEqual(facts.search("ann turn"), []);
});

test("it is grouped by kind, and by player", () => {
  assert.deepEqual(groups(facts.byKind()), [
    ["How many of a card a player has", ["Ann has the Sandbags."]],
    ["Whose turn it is", ["It is Bob's turn."]],
    ["What lies in the pile", ["The pile is open."]],
  ]);
  assert.deepEqual(groups(facts.byPlayer()), [
    ["Ann", ["Ann has the Sandbags."]],
    ["Bob", ["It is Bob's turn."]],
    ["The table", ["The pile is open."]],
  ]);
});

test("of one thing one thing is said, and what is so already is no change", () => {
  facts.change({ ...HELD, count: 2 });
  facts.change({ ...HELD, count: 0 });
  assert.deepEqual([...facts.changes.values()], [{ ...HELD, count: 0 }]);
  facts.change({ count: 1, card: "sandbags", seat: "p1", fact: "has_cards" });
  facts.change({ ...PILE });
  assert.equal(facts.changes.size, 0);
});

test("other facts take the place of all that was changed", () => {
  facts.change({ ...HELD, count: 2 });
  facts.changeTo([{ ...TURN, seat: "p1" }]);
  assert.deepEqual([...facts.changes.values()], [{ fact: "turn_of", seat: "p1" }]);
});

test("a change is told in words", () => {
  assert.equal(facts.sentence({ ...HELD, count: 0 }), "Ann has the Sandbags. Now: count 0.");
  assert.equal(
    facts.sentence({ ...HELD, seat: "p2", card: "earth_stone" }),
    "How many of a card a player has: Bob, Earth Stone. Now: count 1.",
  );
  assert.equal(facts.name("p2_hut_1"), "Bob: hut 1");
  assert.equal(facts.sentence({ ...TURN, seat: "p1" }), "It is Bob's turn. Now: Ann.");
  assert.equal(facts.sentence({ ...TURN, seat: null }), "It is Bob's turn. Now: seat none.");
  assert.equal(facts.sentence({ ...PILE, yes: false }), "The pile is open. Now: layers Sandbags, none, no.");
});

test("a form asks for what is not fixed, and offers the seats of the table", () => {
  const { properties } = facts.schema(KINDS[0], HELD);
  assert.deepEqual(
    [properties.fact, properties.seat, properties.card],
    [{ const: "has_cards" }, { const: "p1" }, { const: "sandbags" }],
  );
  assert.equal(properties.count.minimum, 0);
  assert.deepEqual(facts.schema(KINDS[0]).properties.seat, { enum: ["p1", "p2"] });
  assert.deepEqual(facts.schema(KINDS[1]).properties.seat.anyOf, [{ enum: ["p1", "p2"] }, { type: "null" }]);
  assert.deepEqual(facts.atTable(["p1_hut_1", "p3_hut_1", "not_built"]), ["p1_hut_1", "not_built"]);
  assert.deepEqual(KINDS[0].schema.properties.seat.enum, SEATS);
});

test("one tap chooses between a few values, and speaks of all others", () => {
  const tile = {
    fact: "tile_is",
    summary: "The condition of a tile.",
    about: ["tile"],
    is_derived: false,
    can_be_absent: false,
    schema: object({
      fact: { enum: ["tile_is"] },
      tile: { enum: ["coral_palace", "rest"] },
      state: { enum: ["dry", "flooded", "sunk"] },
    }),
  };
  const open = { ...tile, fact: "is_open", about: [], schema: object({ yes: { type: "boolean" } }) };
  const next = { ...tile, fact: "next_is", about: [], schema: object({ seat: { enum: SEATS } }) };
  const told = { version: 3, facts: [], sentences: [] };
  const few = new Facts({ facts: [tile, open, next, ...KINDS], words: {}, titles: {} }, told, ["Ann", "Bob"]);
  assert.deepEqual(few.choice(tile), { key: "state", values: ["dry", "flooded", "sunk"] });
  assert.deepEqual(few.choice(open), { key: "yes", values: [true, false] });
  assert.deepEqual(few.choice(next), { key: "seat", values: ["p1", "p2"] });
  for (const kind of KINDS) assert.equal(few.choice(kind), null);
  const rest = few.rest(tile);
  assert.deepEqual(rest, { fact: "tile_is", tile: "rest" });
  few.change({ ...rest, state: "dry" });
  assert.equal(few.sentence({ ...rest, state: "dry" }), "The condition of a tile: all others. Now: dry.");
  assert.deepEqual([...few.changes.values()], [{ fact: "tile_is", tile: "rest", state: "dry" }]);
  assert.deepEqual(few.schema(tile).properties.tile.enum, ["coral_palace"]);
});
