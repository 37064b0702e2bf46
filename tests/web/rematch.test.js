// Once more, in the same seats or each one further.

import assert from "node:assert/strict";
import { test } from "node:test";
import { again } from "../../api/static/record/rematch.js";

const GAME = {
  id: "g",
  ruleset: "forbidden-island",
  seats: [{ name: "Ann", role: "pilot" }, { name: "Bob" }, { name: "Cyd" }],
  options: { difficulty: "elite" },
  chance: "observed",
  mode: "strict",
  tags: ["club"],
  seed: "told",
};

test("it is the same table, and another game", () => {
  const { options, chance, mode, tags, ruleset } = GAME;
  const seats = [{ name: "Ann" }, { name: "Bob" }, { name: "Cyd" }];
  assert.deepEqual(again(GAME), { ruleset, seats, options, chance, mode, tags });
  assert.deepEqual(again({ ...GAME, tags: ["club", "deal: g"] }).tags, tags, "what chance brings is new");
});

test("each one seat further, whoever sat second sits first", () => {
  assert.deepEqual(
    again(GAME, 1).seats.map(({ name }) => name),
    ["Bob", "Cyd", "Ann"],
  );
});
