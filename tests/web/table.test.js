// A set-up in pictures, laid out on the phone alone: any order, nothing twice, and each tap can be taken back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Table } from "../../api/static/setup/table.js";

const outcomes = (...values) => values.map((value) => ({ value, label: `${value}!`, p: 0, p_exact: "", count: 1 }));
const choices = (...values) => values.map((value) => ({ value, label: `${value}!` }));
const part = (group, kind, more = {}) => ({ group, kind, families: [], slots: [], choices: [], each: 1, ...more });
const place = (group, pile) => ({ group, label: "", at: null, pile });
const TILES = ["a", "b", "c"];

const PLAN = {
  places: [
    ...TILES.map(() => place("island", 0)),
    ...[1, 2].map(() => place("flooded", 1)),
    ...[1, 2].map(() => place("roles", 2)),
    ...[1, 2, 3, 4].map(() => place("hands", 3)),
  ],
  piles: [
    { outcomes: outcomes(...TILES) },
    { outcomes: outcomes(...TILES) },
    { outcomes: outcomes("x", "y", "z") },
    {
      outcomes: [
        { value: "card", label: "card!", count: 3 },
        { value: "other", label: "", count: 1 },
        ...outcomes("rise"),
      ],
    },
  ],
};
const PAGE = {
  steps: [
    { title: "", parts: [part("island", "lay", { families: [{ choices: choices(...TILES) }] })] },
    { title: "", parts: [part("flooded", "mark")] },
    {
      title: "",
      parts: [
        part("roles", "deal", { choices: choices("x", "y", "z") }),
        part("hands", "deal", { choices: choices("card", "other"), each: 2 }),
      ],
    },
  ],
};

function begun(kept = null) {
  const table = new Table(PLAN, PAGE, kept);
  const [island, flooded, roles, hands] = table.parts;
  return { table, island, flooded, roles, hands };
}

test("the last tile lies by itself, and one undo takes both back", () => {
  const { table, island } = begun();
  table.lay(island, 1, "b");
  table.lay(island, 0, "a");
  assert.deepEqual(table.values(island), ["a", "b", "c"]);
  assert.deepEqual(table.latest, [0, 2]);
  assert.equal(table.screen, 1);
  table.undo();
  assert.deepEqual(table.values(island), [null, "b", null]);
  assert.equal(table.screen, 0);
});

test("a tile that lies elsewhere changes places", () => {
  const { table, island } = begun();
  table.lay(island, 0, "a");
  table.lay(island, 2, "a");
  assert.deepEqual(table.values(island), [null, null, "a"]);
  table.lay(island, 0, "b");
  table.lay(island, 2, "b");
  assert.deepEqual(table.values(island), ["a", "c", "b"].with(0, "a"));
});

test("marks close up, where they are all alike", () => {
  const { table, flooded } = begun();
  for (const value of ["a", "b", "c"]) table.mark(flooded, value);
  assert.deepEqual(table.values(flooded), ["a", "b"]);
  table.mark(flooded, "a");
  assert.deepEqual(table.values(flooded), ["b", null]);
  const steps = new Table(PLAN, { steps: [{ title: "", parts: [part("flooded", "mark", { slots: ["1", "2"] })] }] });
  for (const value of ["a", "b", "a"]) steps.mark(steps.parts[0], value);
  assert.deepEqual(steps.values(steps.parts[0]), [null, "b"]);
});

test("a role is dealt once, and replaced; cards as often as there are any", () => {
  const { table, roles, hands } = begun();
  table.deal(roles, 0, "x");
  table.deal(roles, 1, "x");
  assert.deepEqual(table.values(roles), ["x", null]);
  table.deal(roles, 0, "y");
  assert.deepEqual(table.values(roles), ["y", null]);
  for (const seat of [0, 0, 0, 1, 1]) table.deal(hands, seat, "card");
  assert.deepEqual(table.values(hands), ["card", "card", "card", null]);
  assert.equal(table.remaining(hands).get("card"), 0);
  table.clear(2, 0);
  assert.deepEqual(
    [table.values(roles), table.values(hands)],
    [
      [null, null],
      [null, null, "card", null],
    ],
  );
});

test("chance fills what is empty, with what is offered, and one undo takes it back", () => {
  const { table, island, roles, hands } = begun();
  table.deal(roles, 1, "z");
  for (let at = 0; at < 20; at += 1) {
    table.fill(2, Math.random);
    assert.equal(table.values(roles)[1], "z");
    assert.equal(new Set(table.values(roles)).size, 2);
    assert.deepEqual(table.values(hands).toSorted(), ["card", "card", "card", "other"]);
    table.undo();
    assert.deepEqual(table.values(hands), [null, null, null, null]);
  }
  assert.equal(table.next(island), 0);
});

test("what was kept is gone on with, unless it is of another table", () => {
  const { table, island } = begun();
  table.lay(island, 0, "a");
  const again = begun(JSON.parse(JSON.stringify(table.snapshot)));
  assert.deepEqual(again.table.given, table.given);
  again.table.undo();
  assert.equal(again.table.next(again.island), 0);
  for (const given of [["a"], 5, table.given.with(1, "a"), table.given.with(0, "nonsense"), table.given.with(1, 7)]) {
    const fresh = begun({ given, steps: [] }).table;
    assert.deepEqual([...new Set(fresh.given)], [null]);
    assert.equal(fresh.given.length, PLAN.places.length);
  }
});

test("what changes nothing is no step", () => {
  const { table, island } = begun();
  table.lay(island, 0, "a");
  table.lay(island, 0, "a");
  assert.equal(table.steps.length, 1);
  table.undo();
  table.undo();
  assert.equal(table.find(island, null), -1);
  assert.equal(table.partOf(99), null);
});
