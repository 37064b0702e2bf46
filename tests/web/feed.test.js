import assert from "node:assert/strict";
import { test } from "node:test";
import { newestFirst } from "../../api/static/record/feed.js";

/** @param {number} seq @param {number | undefined} turn @param {object} [more] */
function line(seq, turn, more = {}) {
  return /** @type {StoryLine} */ (/** @type {unknown} */ ({ seq, turn, type: "move", is_undone: false, ...more }));
}

/** @param {StoryLine[]} lines  newest first */
function told(lines) {
  return newestFirst(lines.toReversed()).map(({ heading, runs }) => [
    heading,
    runs.map((run) => run.map(({ seq }) => seq)),
  ]);
}

test("the newest turn is the first, and the set-up the last", () => {
  const lines = [line(5, 2), line(4, 1), line(3, 1), line(2, undefined, { type: "set_up" })];
  assert.deepEqual(told(lines), [
    ["Turn 2", [[5]]],
    ["Turn 1", [[4], [3]]],
    ["Before the first turn", [[2]]],
  ]);
});

test("what was taken back is one line with the undo that took it back", () => {
  const undone = { is_undone: true };
  const lines = [line(6, 1), line(5, 1, { type: "undo" }), line(4, 2, undone), line(3, 1, undone), line(2, 1)];
  assert.deepEqual(told(lines), [["Turn 1", [[6], [5, 4, 3], [2]]]]);
});

test("an undo is under the turn that the table is in again, whether or not it went on", () => {
  const back = [
    line(5, 2, { type: "undo" }),
    line(4, 2, { is_undone: true }),
    line(3, 1, { is_undone: true }),
    line(2, 1),
  ];
  assert.deepEqual(told(back), [["Turn 1", [[5, 4, 3], [2]]]]);
  assert.deepEqual(told([line(6, 1), ...back]), [["Turn 1", [[6], [5, 4, 3], [2]]]]);
});

test("a note begins no turn of its own", () => {
  assert.deepEqual(told([line(4, 2, { type: "annotate" }), line(3, 2), line(2, 1)]), [
    ["Turn 2", [[4], [3]]],
    ["Turn 1", [[2]]],
  ]);
});
