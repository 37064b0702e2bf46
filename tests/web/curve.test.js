// The curve of a game: only over the events of the replay, and not beyond the last visible one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { curve, paths } from "../../api/static/curve.js";

const points = [
  { seq: 2, level: 24 },
  { seq: 5, level: 12 },
  { seq: 9, level: 0 },
];
const places = (found) => found.map(({ x, y }) => [x, y]);

test("each turn stands over its last event", () => {
  const found = curve([1, 2, 3, 4, 5, 6, 7, 8, 9], points, 9);
  assert.deepEqual(places(found), [
    [12.5, 0],
    [50, 50],
    [100, 100],
  ]);
  assert.deepEqual(paths(found), {
    line: "M12.5 0L50 50L100 100",
    under: "M12.5 0L50 50L100 100L100 100L12.5 100z",
  });
});

test("what comes later is not told, and the height is the same as if it were", () => {
  assert.deepEqual(places(curve([1, 2, 3, 4, 5], points, 5)), [
    [25, 0],
    [100, 50],
  ]);
});

test("a turn whose last event is left out stands over the one before", () => {
  assert.deepEqual(places(curve([1, 2, 3, 9], points, 9)), [
    [33.33, 0],
    [66.67, 50],
    [100, 100],
  ]);
});

test("one point is no line, and none is none", () => {
  assert.deepEqual(paths(curve([1, 2], points, 2)), { line: "", under: "" });
  assert.deepEqual(curve([], [], 0), []);
  assert.deepEqual(places(curve([3], [{ seq: 2, level: 0 }], 3)), [[0, 100]]);
});
