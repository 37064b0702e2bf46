// The actions that get a button because the board needs two taps for them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { leadOf, MOST_QUICK, twoTaps } from "../../api/static/record/quick.js";

const act = (type, ...places) => ({ type, places });
const placesOf = ({ places }) => places;

test("a place with two meanings gives its rarer one a button", () => {
  const shore = act("shore_up", "iron_gate");
  assert.deepEqual(twoTaps([act("move", "iron_gate"), act("move", "gold_gate"), shore], placesOf), [shore]);
  assert.deepEqual(twoTaps([act("move", "gold_gate"), shore], placesOf), []);
});

test("of two equally rare meanings, the later in the rulebook gets the button", () => {
  const sand = act("remove_sand", "r1c1");
  assert.deepEqual(twoTaps([act("move", "r1c1"), sand], placesOf), [sand]);
});

test("a button has only the place, also if it is the only one of its kind", () => {
  const move = { ...act("move", "r1c3"), label: "Move to row 1, column 3 (Gear)" };
  const sand = { ...act("remove_sand", "r1c3"), label: "Remove a sand marker from row 1, column 3 (Gear)" };
  assert.equal(leadOf(sand, [move, sand], placesOf), "Remove a sand marker from");
  assert.equal(leadOf(sand, [sand], placesOf), "");
});

test("an action on two tiles has no button, but the one on a single tile has", () => {
  const one = act("shore_up", "iron_gate");
  assert.deepEqual(twoTaps([one, act("shore_up", "iron_gate", "gold_gate")], placesOf), [one]);
});

test("actions with another pawn have buttons only if they are few", () => {
  const along = Array.from({ length: MOST_QUICK }, () => act("navigate"));
  assert.equal(twoTaps(along, placesOf).length, MOST_QUICK);
  assert.deepEqual(twoTaps([...along, act("navigate")], placesOf), []);
});
