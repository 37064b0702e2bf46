// A set-up that is laid out on the phone alone: what is possible shrinks here, and no tap is lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { syllables } from "../../api/static/grid.js";
import { Laying } from "../../api/static/laying.js";

function outcomes(...values) {
  return values.map((value) => ({ value, label: `${value}!`, p: 0, p_exact: "" }));
}

const place = (group, pile, at = null) => ({ group, label: "", at, pile });
const TILES = { returns: false, is_open: false, outcomes: outcomes("a", "b", "c") };
const FLOODS = { ...TILES };
const DIE = { returns: true, is_open: true, outcomes: outcomes(1, 2) };
const CARDS = { returns: false, is_open: true, outcomes: [{ ...outcomes("x")[0], count: 2 }, ...outcomes("y")] };

function island() {
  return new Laying({
    places: [...[1, 2, 3].map((x) => place("island", 0, [x, 1])), place("flooded", 1)],
    piles: [TILES, FLOODS],
  });
}

const values = (laying, index) => laying.choices(index).map(({ value }) => value);

test("what lies is not there any more, and what is forced is not asked", () => {
  const laying = island();
  assert.deepEqual(values(laying, 0), ["a", "b", "c"]);
  laying.lay("b");
  assert.deepEqual(values(laying, 1), ["a", "c"]);
  laying.lay("c");
  assert.deepEqual(laying.given, ["b", "c", "a"]);
  // It lies by itself, which is to be seen.
  assert.deepEqual(laying.forced, [2]);
  // Another pile has all of them.
  assert.deepEqual(values(laying, 3), ["a", "b", "c"]);
  laying.lay("a");
  assert.equal(laying.isWhole, true);
  assert.equal(laying.label(0), "b!");
});

test("undo takes back a tap, and what was forced by it", () => {
  const laying = island();
  laying.lay("b");
  laying.lay("c");
  laying.undo();
  assert.deepEqual(laying.given, ["b"]);
  laying.undo();
  laying.undo();
  assert.deepEqual(laying.given, []);
});

test("what is put in another's place changes places with it, before it or behind it", () => {
  const laying = island();
  for (const tile of ["a", "b"]) laying.lay(tile);
  assert.deepEqual(
    laying.choices(0).map(({ value, isLaid }) => [value, isLaid]),
    [
      ["a", false],
      ["b", true],
      ["c", true],
    ],
  );
  laying.put(2, "a");
  assert.deepEqual(laying.given, ["c", "b", "a"]);
  laying.put(0, "b");
  assert.deepEqual(laying.given, ["b", "c", "a"]);
  laying.undo();
  assert.deepEqual(laying.given, ["c", "b", "a"]);
  laying.put(0, "c");
  assert.deepEqual(laying.given, ["c", "b", "a"]);
});

test("of cards that there are several of the number counts, and with it the chance", () => {
  const laying = new Laying({ places: [place("hand", 0), place("hand", 0), place("hand", 0)], piles: [CARDS] });
  assert.deepEqual(
    laying.choices(0).map(({ p }) => p),
    [2 / 3, 1 / 3],
  );
  laying.lay("x");
  assert.deepEqual(
    laying.choices(1).map(({ p }) => p),
    [1 / 2, 1 / 2],
  );
  laying.lay("x");
  assert.deepEqual(values(laying, 2), ["y"]);
  // What comes after it depends on it: that is not forced.
  assert.equal(laying.given.length, 2);
  laying.put(0, "y");
  assert.deepEqual(laying.given, ["y", "x"]);
});

test("a card that is drawn again brings another place, which goes with it", () => {
  const again = { ...outcomes("w")[0], count: 2, more: 1 };
  const pile = { returns: false, is_open: true, outcomes: [again, { ...outcomes("x")[0], count: 2 }] };
  const laying = new Laying({ places: [place("hand", 0), place("hand", 0)], piles: [pile] });
  laying.lay("w");
  laying.lay("x");
  assert.deepEqual([laying.places.length, laying.isWhole], [3, false]);
  laying.lay("x");
  assert.equal(laying.isWhole, true);
  laying.put(1, "w");
  assert.equal(laying.places.length, 4);
  laying.put(1, "x");
  assert.equal(laying.places.length, 3);
  for (let taps = 0; taps < 3; taps += 1) laying.undo();
  laying.undo();
  laying.undo();
  assert.deepEqual([laying.given, laying.places.length], [[], 2]);
});

test("what was tapped behind a place that was missing waits for it, and is laid then", () => {
  const laying = new Laying({
    places: [place("throws", 0), place("tiles", 1), place("tiles", 1)],
    piles: [DIE, TILES],
  });
  for (const value of [1, "a", "b"]) laying.lay(value);
  assert.equal(laying.isWhole, true);
  // The throw was to where a tile lies: there is one more.
  const places = [place("throws", 0), place("throws", 0), place("tiles", 1), place("tiles", 1)];
  assert.equal(laying.receive({ places, piles: [DIE, TILES], impossible: 1 }), 0);
  assert.deepEqual(laying.given, [1]);
  const reloaded = new Laying(JSON.parse(JSON.stringify(laying.snapshot)));
  reloaded.lay(2);
  assert.deepEqual(reloaded.given, [1, 2, "a", "b"]);
  assert.equal(reloaded.isWhole, true);
});

test("what fits nowhere any more is left out, and counted", () => {
  const laying = new Laying({
    places: [place("throws", 0), place("throws", 0), place("tiles", 1)],
    piles: [DIE, TILES],
  });
  for (const value of [1, 2, "a"]) laying.lay(value);
  const places = [place("throws", 0), place("tiles", 1)];
  assert.equal(laying.receive({ places, piles: [DIE, TILES], impossible: 1 }), 1);
  assert.deepEqual(laying.given, [1, "a"]);
});

test("the rest comes up by chance, as often as there is something to come", () => {
  const laying = island();
  laying.fill(() => 0);
  assert.deepEqual(laying.given, ["a", "b", "c", "a"]);
  laying.undo();
  assert.deepEqual(laying.given, []);
  laying.fill(() => 0.999999);
  assert.deepEqual(laying.given, ["c", "b", "a", "c"]);
  const unknown = new Laying({ places: [place("far", null)], piles: [] });
  unknown.fill(() => 0);
  assert.deepEqual([unknown.given, unknown.isOpen(0)], [[], true]);
});

test("before anything was told nothing can be laid", () => {
  const laying = new Laying(null);
  assert.equal(laying.isWhole, false);
  assert.deepEqual(laying.choices(0), []);
});

test("a long name is parted where one would part it", () => {
  assert.equal(syllables("Observatory").replaceAll("\u00ad", "-"), "Ob-ser-va-tory");
  assert.equal(syllables("Gold Gate"), "Gold Gate");
});
