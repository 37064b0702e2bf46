// A late page: optional screens, states of tiles, and the facts that begin the record.

import assert from "node:assert/strict";
import { test } from "node:test";
import { beginning } from "../../api/static/setup/late.js";
import { Table } from "../../api/static/setup/table.js";

const choices = (...values) => values.map((value) => ({ value, label: `${value}!` }));
const outcomes = (...values) => values.map((value) => ({ value, label: "", count: 2 }));
const part = (group, kind, report, more = {}) => ({
  group,
  kind,
  families: [],
  slots: [],
  choices: [],
  each: 1,
  report: { rest: null, size: "", unknown: null, is_optional: false, ...report },
  ...more,
});
const place = (group, pile) => ({ group, label: "", at: null, pile });
const REST = { fact: "tile_is", tile: "rest", state: "dry" };
const hand = (seat) => ({ fact: "has", seat });

const PLAN = {
  places: [
    ...["a", "b"].map(() => place("tiles", 0)),
    ...[1, 2, 3, 4].map(() => place("hands", 1)),
    place("water", 2),
    place("taken", 3),
  ],
  piles: [
    { outcomes: outcomes("flooded", "sunk"), returns: true },
    { outcomes: outcomes("card", "unknown") },
    { outcomes: outcomes(1, 2) },
    { outcomes: outcomes("x") },
  ],
};
const states = {
  facts: ["a", "b"].map((tile) => ({ fact: "tile_is", tile })),
  member: "state",
  rest: REST,
  is_optional: true,
};
const hands = {
  facts: ["p1", "p1", "p2", "p2"].map(hand),
  member: "card",
  size: "hand_is",
  unknown: "unknown",
  is_optional: true,
};
const PAGE = {
  steps: [
    {
      title: "",
      parts: [
        part("tiles", "state", states, {
          families: [{ choices: choices("a", "b") }],
          choices: choices("flooded", "sunk"),
        }),
      ],
    },
    { title: "", parts: [part("hands", "deal", hands, { choices: choices("card", "unknown"), each: 2 })] },
    {
      title: "",
      parts: [
        part("water", "pick", { facts: [{ fact: "water" }], member: "level" }, { choices: choices(1, 2) }),
        part("taken", "pick", { facts: [{ fact: "taken" }], member: "what", is_optional: true }),
      ],
    },
  ],
};

function begun(kept = null) {
  const table = new Table(PLAN, PAGE, kept);
  const [tiles, cards, water, taken] = table.parts;
  return { table, tiles, cards, water, taken };
}

test("a tile has each state in turn, then none", () => {
  const { table, tiles } = begun();
  const seen = [1, 2, 3].map(() => {
    table.turn(tiles, "b");
    return table.stateOf(tiles, "b").state;
  });
  assert.deepEqual(seen, ["flooded", "sunk", null]);
  table.undo();
  assert.equal(table.stateOf(tiles, "b").state, "sunk");
});

test("a screen on which nothing must be entered is left by hand, and stays left", () => {
  const { table, water } = begun();
  assert.equal(table.screen, 0);
  table.passed.add(0);
  assert.equal(table.screen, 1);
  table.passed.add(1);
  assert.equal(table.screen, 2);
  table.mark(water, 2);
  assert.equal(table.screen, null);
  assert.equal(begun(JSON.parse(JSON.stringify(table.snapshot))).table.screen, null);
});

test("everything entered is a fact, and unknown cards are counted", () => {
  const { table, tiles, cards, water } = begun();
  table.turn(tiles, "a");
  for (const card of ["card", "unknown"]) table.deal(cards, 0, card);
  table.mark(water, 1);
  table.mark(water, 1);
  table.mark(water, 2);
  assert.deepEqual(beginning(table), {
    type: "set_up",
    params: {
      position: {
        facts: [
          { fact: "tile_is", tile: "a", state: "flooded" },
          REST,
          { fact: "hand_is", seat: "p1", count: 2 },
          { fact: "has", seat: "p1", card: "card", count: 1 },
          { fact: "hand_is", seat: "p2", count: 0 },
          { fact: "water", level: 2 },
        ],
      },
    },
    outcomes: [null],
  });
});
