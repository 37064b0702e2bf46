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
  report: {
    rest: null,
    size: "",
    count: "",
    unknown: null,
    is_optional: false,
    ids: [],
    coordinates: [],
    means: {},
    ...report,
  },
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
  count: "count",
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

test("tiles after a walk have its coordinates, and equal tiles have numbers", () => {
  const means = { hog: [{ tile: "hog_1" }, { tile: "hog_2" }], volcano: [{ tile: "volcano" }] };
  const lies = {
    facts: [0, 1, 2].map((q) => ({ fact: "lies_at", q, r: 0 })),
    member: "tile",
    coordinates: ["q", "r"],
    means,
  };
  const page = {
    steps: [
      { title: "", parts: [{ ...part("path", "walk", {}), report: null, connect: 1 }] },
      { title: "", parts: [part("faces", "lay", lies)] },
    ],
  };
  const plan = {
    places: [...[1, 2].map(() => place("path", 0)), ...[1, 2, 3].map(() => place("faces", 1))],
    piles: [{ outcomes: [], returns: true }, { outcomes: outcomes("hog", "volcano") }],
  };
  const table = new Table(plan, page, null);
  const [path, faces] = table.parts;
  table.put(path.at.map((index) => [index, 2]));
  table.lay(faces, 0, "hog");
  table.lay(faces, 1, "volcano");
  table.lay(faces, 2, "hog");
  const { laid } = table.path(path);
  assert.deepEqual(
    beginning(table).params.position.facts,
    ["hog_1", "volcano", "hog_2"].map((tile, at) => ({ fact: "lies_at", q: laid[at][0], r: laid[at][1], tile })),
  );
});

test("facts name the spaces of a board whose tiles are alike", () => {
  const tiles = { facts: ["r1", "r2"].map((space) => ({ fact: "tile_is", space })), ids: ["r1", "r2"] };
  const page = { steps: [{ title: "", parts: [part("board", "lay", tiles)] }] };
  const plan = { places: [place("board", 0), place("board", 0)], piles: [{ outcomes: outcomes("sand") }] };
  const table = new Table(plan, page, null);
  assert.equal(table.idAt(table.parts[0], 1), "r2");
  assert.equal(begun().table.idAt(begun().tiles, 0), null);
});

test("a number is typed, whatever the pile has", () => {
  const points = part(
    "points",
    "deal",
    { facts: [{ fact: "score", seat: "p1" }], member: "value" },
    { range: [0, 1000000] },
  );
  const plan = { places: [place("points", 0)], piles: [{ outcomes: [], returns: true }] };
  const table = new Table(plan, { steps: [{ title: "", parts: [points] }] }, null);
  table.deal(table.parts[0], 0, 12345);
  assert.deepEqual(beginning(table).params.position.facts, [{ fact: "score", seat: "p1", value: 12345 }]);
});
