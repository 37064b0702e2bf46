// Photos of the setup page's tiles: no tile is wrong without a question, and bad photos end in questions.

import assert from "node:assert/strict";
import { test } from "node:test";
import { flaw, isOutline, likeness, MOST_DOUBTS, patches, propose } from "../../api/static/setup/reading.js";
import { boxOfTiles, photographed, randoms } from "./photographs.js";

const WIDTHS = [2, 4, 6, 6, 4, 2];
const AT = WIDTHS.flatMap((width, row) => Array.from({ length: width }, (_, one) => [4 - width / 2 + one, row + 1]));
const box = boxOfTiles();
// The owner takes this photo once, with care.
const album = photographed(box, AT, randoms(11), { skew: 0.06, slip: 0.02, cast: [1.02, 1, 0.92] });
const known = patches(album.photo, album.corners, AT);
/** Tiles of another game: other pictures in other colours. */
const others = box.map((_, one) => ({
  at: (x, y) => {
    const [red, green, blue] = box[(7 * one + 3) % 24].at(Math.abs(1 - 1.7 * x), y);
    return [blue, red, 255 - green];
  },
}));

/** @returns the number of tiles that are right, asked, and wrong without a question */
function counted(tiles, truth, seed, how = {}, tapped = (corners) => corners) {
  const { photo, corners } = photographed(tiles, AT, randoms(seed), how);
  const readings = propose(likeness(patches(photo, tapped(corners), AT), known));
  assert.equal(new Set(readings.map(({ tile }) => tile)).size, AT.length, "no tile is proposed twice");
  const count = { right: 0, asked: 0, wrong: 0 };
  readings.forEach(({ tile, isDoubtful }, space) => {
    count[isDoubtful ? "asked" : tile === truth[space] ? "right" : "wrong"]++;
  });
  return count;
}

/** The page refuses a photo with too many doubtful tiles. */
function assertHarmless(count, name) {
  assert.ok(count.wrong === 0 || count.asked > MOST_DOUBTS, `${name}: ${JSON.stringify(count)}`);
}

function shuffled(seed) {
  const random = randoms(seed);
  return [...box.keys()]
    .map((tile) => [random(), tile])
    .sort(([one], [other]) => one - other)
    .map(([, tile]) => tile);
}

const GOOD = {
  plain: {},
  evening: { exposure: 0.3, noise: 14 },
  "lamp light": { cast: [1.1, 0.9, 0.65] },
  shade: { gradient: 0.5, cast: [0.75, 0.95, 1.1] },
  skewed: { skew: 0.18 },
  turned: { quarter: 1 },
  careless: { offset: 0.06, turn: 0.08, slip: 0.08 },
};

test("good photos: nothing is wrong without a question, and few questions are left", () => {
  const sum = { right: 0, asked: 0, wrong: 0 };
  Object.values(GOOD).forEach((how, seed) => {
    const truth = shuffled(seed);
    const count = counted(
      truth.map((tile) => box[tile]),
      truth,
      seed + 20,
      how,
    );
    if (!process.env.LOOK)
      assert.ok(count.asked <= MOST_DOUBTS, `${Object.keys(GOOD)[seed]}: ${JSON.stringify(count)}`);
    for (const key of Object.keys(sum)) sum[key] += count[key];
  });
  assert.equal(sum.wrong, 0, JSON.stringify(sum));
  assert.ok(sum.asked <= 0.12 * (sum.right + sum.asked), JSON.stringify(sum));
});

test("bad photos end in questions", () => {
  const truth = shuffled(5);
  const tiles = truth.map((tile) => box[tile]);
  for (const how of [{ exposure: 0.1, noise: 14 }, { blur: 6 }, { glare: 1.5 }, { noise: 40 }]) {
    assertHarmless(counted(tiles, truth, 6, how), JSON.stringify(how));
  }
  assert.equal(
    counted(
      others,
      others.map(() => -1),
      7,
    ).asked,
    AT.length,
    "the wrong box",
  );
  // Two equal tiles are asked, because one of them must be another one.
  const twice = truth.with(3, truth[17]);
  assert.equal(
    counted(
      twice.map((tile) => box[tile]),
      truth,
      8,
    ).wrong,
    0,
  );
  for (const corner of [0, 1, 2, 3]) {
    const moved = ([x, y], one) => (one === corner ? [x + (one % 3 ? -45 : 45), y] : [x, y]);
    const count = counted(tiles, truth, 30 + corner, {}, (corners) => corners.map(moved));
    assertHarmless(count, `corner ${corner}`);
  }
});

test("a flaw is reported before the corners, and corners must form an outline", () => {
  const photo = (how) => photographed(box, AT, randoms(3), { noise: 2, ...how }).photo;
  assert.equal(flaw(photo()), null);
  assert.equal(flaw(photo({ exposure: 0.1 })), "dark");
  assert.equal(flaw(photo({ blur: 5 })), "blurred");
  assert.equal(flaw(photo({ glare: 2 })), "glare");
  const [one, two, three, four] = album.corners;
  assert.ok(isOutline(album.corners));
  assert.ok(!isOutline([one, three, two, four]));
  assert.ok(!isOutline([four, three, two, one]));
});
