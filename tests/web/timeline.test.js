// The time line: turns and marks stand where their events are, and the slider knows events by their numbers.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { timeline } from "../../api/static/timeline.js";
import { Browser } from "./browser.js";

let slider;
let track;
let chosen;
let line;

beforeEach(() => {
  const { document } = new Browser();
  slider = document.createElement("input");
  track = document.createElement("div");
  chosen = [];
  line = timeline(slider, track, (seq) => chosen.push(seq));
});

const drawn = () => track.children.map((one) => [one.attributes.get("class"), one.style.left]);

test("turns begin where their first event stands", () => {
  const turns = [
    { turn: 0, first: 1, last: 2 },
    { turn: 1, first: 3, last: 5 },
  ];
  line.draw([1, 2, 3, 4, 5], turns, new Map());
  assert.equal(slider.max, "5");
  assert.deepEqual(drawn(), [
    ["tick", "0%"],
    ["tick", "50%"],
  ]);
});

test("a turn whose first event is left out begins at the next that is not; one without events is not drawn", () => {
  const turns = [
    { turn: 1, first: 2, last: 3 },
    { turn: 2, first: 9, last: 9 },
  ];
  line.draw([1, 3, 4], turns, new Map());
  assert.deepEqual(drawn(), [["tick", "50%"]]);
});

test("marks stand at their events, each with its kind; marks of what is left out are not drawn", () => {
  const marks = new Map([
    [4, ["note", "illegal"]],
    [3, ["undone"]],
  ]);
  line.draw([1, 2, 4], [], marks);
  assert.deepEqual(drawn(), [
    ["sign sign-note", "100%"],
    ["sign sign-illegal", "100%"],
  ]);
});

test("a game of one event, and none at all, can be drawn", () => {
  line.draw([1], [{ turn: 0, first: 1, last: 1 }], new Map([[1, ["note"]]]));
  assert.equal(slider.max, "1");
  assert.deepEqual(drawn(), [
    ["tick", "0%"],
    ["sign sign-note", "0%"],
  ]);
  line.draw([], [], new Map());
  assert.equal(slider.max, "1");
  assert.deepEqual(drawn(), []);
});

test("what is chosen on the slider is an event", () => {
  line.draw([1, 2, 5, 9], [], new Map());
  slider.value = "3";
  slider.dispatchEvent(new Event("input"));
  assert.deepEqual(chosen, [5]);
});

test("the thumb stands at the event, or at the last before it, and says what it is", () => {
  line.draw([1, 2, 5, 9], [], new Map());
  line.move(5, "5: Ann moves.");
  assert.equal(slider.value, "3");
  assert.equal(slider.attributes.get("aria-valuetext"), "5: Ann moves.");
  line.move(7, "");
  assert.equal(slider.value, "3");
});
