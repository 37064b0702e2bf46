// Taps that wait for others: what is shown meanwhile, and when a person is asked about one again.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesAfter, history, predictStory } from "../../api/static/record/history.js";
import { misfit } from "../../api/static/record/misfit.js";
import { Table } from "../../api/static/record/table.js";

const MOVE = { type: "move", actor: "p1", params: { to: "coral_palace" } };
const LISTED = { ...MOVE, label: "Move to Coral Palace", rule: "Move", chance: [] };
const undo = (to) => ({ type: "undo", actor: null, params: { to } });

function line(seq, type, more = {}) {
  return { seq, type, is_undone: false, sentence: `${type} ${seq}`, ...more };
}

const STORY = [line(1, "game_opened"), line(2, "set_up"), line(3, "move"), line(4, "move")];

function at(version, { actions = [LISTED], mode = "strict" } = {}) {
  return { version, now: { actions, possible: [] }, game: { mode } };
}

function tap(body, more = {}) {
  return { key: "k", label: "Move", body, base: 4, ...more };
}

test("a tap that waited is sent where it still means the same", () => {
  assert.equal(misfit(tap(MOVE, { offered: LISTED.label }), at(4)), null);
});

test("a tap that would mean something else now is asked again", () => {
  const moved = { ...LISTED, label: "Swim to Coral Palace" };
  const problem = misfit(tap(MOVE, { offered: LISTED.label }), at(4, { actions: [moved] }));
  assert.equal(problem?.slug, "no-longer-fits");
  assert.match(String(problem?.detail), /Swim to Coral Palace/);
});

test("what is not to be done any more the service judges; where it would take it all the same, a person does", () => {
  const waiting = tap(MOVE, { offered: LISTED.label });
  assert.equal(misfit(waiting, at(4, { actions: [] })), null);
  assert.equal(misfit(waiting, at(4, { actions: [], mode: "as_played" }))?.slug, "no-longer-fits");
});

test("what was entered by hand is sent as it is", () => {
  assert.equal(misfit(tap(MOVE), at(4, { actions: [], mode: "as_played" })), null);
});

test("what speaks of an event by its number is asked again where another was recorded", () => {
  assert.equal(misfit(tap(undo(3), { foreseen: 5 }), at(4)), null);
  assert.equal(misfit(tap(undo(3), { foreseen: 6 }), at(4))?.slug, "no-longer-fits");
});

test("on another table than the one that was read nothing is judged here", () => {
  assert.equal(misfit(tap(undo(3), { foreseen: 9 }), at(7)), null);
});

test("undo tapped twice takes back two events, although the first is still on its way", () => {
  const first = history(STORY).undo;
  assert.equal(first?.to, 3);
  const after = predictStory(STORY, [{ body: undo(3), label: "Undo" }]);
  const second = history(after);
  assert.deepEqual([second.undo?.to, second.redo?.line.seq], [2, 4]);
  const both = predictStory(STORY, [
    { body: undo(3), label: "Undo" },
    { body: undo(2), label: "Undo" },
  ]);
  assert.equal(history(both).undo, null);
  assert.equal(both.length, 6);
});

test("undo of a tap that is on its way takes back that tap", () => {
  const after = predictStory(STORY, [{ body: MOVE, label: "Move to Coral Palace" }]);
  assert.deepEqual(history(after).undo, { to: 4, line: after[4] });
  assert.equal(after[4].sentence, "Move to Coral Palace");
});

test("a note that is taken back stays so, and one after an event that comes back does, too", () => {
  const story = [...STORY, line(5, "annotate")];
  const after = predictStory(story, [{ body: undo(3), label: "Undo" }]);
  assert.deepEqual(
    after.map(({ is_undone }) => is_undone),
    [false, false, false, true, true, false],
  );
});

test("the story is told anew from the first event that may stand otherwise", () => {
  assert.equal(changesAfter(STORY, MOVE), 4);
  assert.equal(changesAfter(STORY, undo(3)), 3);
  assert.equal(changesAfter([...STORY, line(5, "undo", { to: 2 })], undo(4)), 2);
  assert.equal(changesAfter([...STORY, line(5, "amend")], undo(4)), 0);
  assert.equal(changesAfter(STORY, { type: "amend", actor: null, params: {} }), 0);
});

function readAt(story) {
  const table = new Table("/v1/games/g", "/v1/rulesets/r");
  table.story = story;
  Object.assign(table, { now: { version: story.length }, game: { mode: "strict", outcome: null }, ruleset: {} });
  return table;
}

test("a table goes on to what an answer brings", () => {
  const table = readAt(STORY);
  const now = { version: 5 };
  const isTaken = table.take({ version: 5, turn: 2, outcome: null, actions: now, story: { story: [line(5, "move")] } });
  assert.equal(isTaken, true);
  assert.deepEqual([table.version, table.story.length, table.game.turn], [5, 5, 2]);
  assert.equal(table.now, now);
});

test("lines that are told otherwise take the place of those that were known", () => {
  const table = readAt(STORY);
  const lines = [line(4, "move", { is_undone: true }), line(5, "undo", { to: 3 })];
  assert.equal(
    table.take({ version: 5, turn: 1, outcome: null, actions: { version: 5 }, story: { story: lines } }),
    true,
  );
  assert.equal(table.story[3].is_undone, true);
});

test("an answer that brings less than all there is to know is not taken", () => {
  const brought = { version: 5, turn: 1, outcome: null, actions: { version: 5 }, story: { story: [line(5, "move")] } };
  for (const less of [
    { actions: null },
    { story: null },
    { version: 4 },
    { story: { story: [] } },
    { version: 7 },
    { story: { story: [line(6, "move")] } },
  ]) {
    assert.equal(readAt(STORY).take({ ...brought, ...less }), false);
  }
});
