// Read a photo of laid tiles: straighten it by four corners, and compare its tiles with known ones. It does not use
// the page.

/** @typedef {{width: number, height: number, data: Uint8ClampedArray}} Photo  RGBA, as in a canvas */
/** @typedef {number[]} Point  x, y */
/** @typedef {Uint8ClampedArray} Patch  RGB of the samples of a tile, with a margin around it */
/**
 * The reading of one space: the likelihood of each tile, the proposed tile, and true if the table must be asked.
 * @typedef {{odds: number[], tile: number, isDoubtful: boolean}} Reading
 */

/** Number of samples along the compared side of a tile. */
const SIZE = 12;
/** Number of samples beyond each side, because nobody lays tiles or taps corners exactly. */
const MARGIN = 2;
/** Number of samples along the side of a patch. */
const GRID = SIZE + 2 * MARGIN;
/** The part of a tile's side that is compared: the rim has no picture. */
const INNER = 0.88;
/** The gap between two tiles, as a part of a tile's side. */
const GAP = 0.06;
/** The weight of colour, relative to brightness. */
const COLOUR = 1.5;
/** The likeness at which "none of these tiles" is as likely as the tile. */
const STRANGE = 0.6;
/** The difference in likeness that makes a tile e times as likely. */
const STEP = 0.015;
/** The minimum likelihood, and the minimum lead over the next tile, at which the page does not ask. */
const SURE = 0.8;
const LEAD = 0.2;
/** If more tiles are doubtful, the corners or the box are wrong. */
export const MOST_DOUBTS = 8;
/** The limits for a photo: minimum mean brightness, maximum white, and minimum sharpness of edges. */
const DARK = 20;
const GLARE = 0.04;
const BLURRED = 0.4;

/** The corners of the laid tiles: of the first, the rightmost, the last and the leftmost one. @param {Point[]} at  columns and rows */
export function corners(at) {
  const place = (/** @type {number} */ one) => (one - 1) * (1 + GAP);
  const most = Math.max(...at.map(([column]) => column));
  const least = Math.min(...at.map(([column]) => column));
  const right = at.find(([column]) => column === most) ?? at[0];
  const left = at.findLast(([column]) => column === least) ?? at[0];
  const last = at[at.length - 1];
  return [
    [place(at[0][0]), place(at[0][1])],
    [place(right[0]) + 1, place(right[1])],
    [place(last[0]) + 1, place(last[1]) + 1],
    [place(left[0]), place(left[1]) + 1],
  ];
}

/** True if the corners go round clockwise. @param {Point[]} points */
export function isOutline(points) {
  return points.every(([x, y], number) => {
    const [[nextX, nextY], [overX, overY]] = [points[(number + 1) % 4], points[(number + 2) % 4]];
    return (nextX - x) * (overY - nextY) - (nextY - y) * (overX - nextX) > 0;
  });
}

/** The projection that maps four points to four others. @param {Point[]} from @param {Point[]} to @returns {(x: number, y: number) => Point} */
export function projection(from, to) {
  const rows = from.flatMap(([x, y], number) => {
    const [u, v] = to[number];
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  for (let column = 0; column < 8; column++) {
    const best = rows
      .slice(column)
      .reduce((one, other) => (Math.abs(other[column]) > Math.abs(one[column]) ? other : one));
    rows.splice(rows.indexOf(best), 1);
    rows.splice(
      column,
      0,
      best.map((value) => value / best[column]),
    );
    for (const row of rows) {
      const factor = row[column];
      if (row !== rows[column]) for (let at = column; at < 9; at++) row[at] -= factor * rows[column][at];
    }
  }
  const [a, b, c, d, e, f, g, i] = rows.map((row) => row[8]);
  return (x, y) => {
    const depth = g * x + i * y + 1;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  };
}

/** Cut the tiles out of a photo. @param {Photo} photo @param {Point[]} tapped  its corners @param {Point[]} at  columns and rows @returns {Patch[]} */
export function patches({ width, height, data }, tapped, at) {
  const project = projection(corners(at), tapped);
  const pitch = INNER / SIZE;
  const first = (1 - INNER) / 2 - MARGIN * pitch;
  return at.map(([column, row]) => {
    const patch = new Uint8ClampedArray(GRID * GRID * 3);
    for (let sample = 0; sample < GRID * GRID; sample++) {
      const sums = [0, 0, 0];
      for (let part = 0; part < 9; part++) {
        const x = (column - 1) * (1 + GAP) + first + ((sample % GRID) + ((part % 3) + 0.5) / 3) * pitch;
        const y =
          (row - 1) * (1 + GAP) + first + (Math.floor(sample / GRID) + (Math.floor(part / 3) + 0.5) / 3) * pitch;
        const [u, v] = project(x, y);
        const left = Math.min(Math.max(Math.floor(u), 0), width - 1);
        const from = 4 * (Math.min(Math.max(Math.floor(v), 0), height - 1) * width + left);
        for (let one = 0; one < 3; one++) sums[one] += data[from + one];
      }
      for (let one = 0; one < 3; one++) patch[3 * sample + one] = sums[one] / 9;
    }
    return patch;
  });
}

/**
 * Compare each tile of a photo with each known one. Together, the tiles of both photos have the same colours, so a
 * cast of the light cancels out.
 * @param {Patch[]} seen @param {Patch[]} known
 * @returns {number[][]}  likeness up to 1, by seen and known tile
 */
export function likeness(seen, known) {
  const windows = normalizeColours(seen).map((one) => shifts().map(([x, y]) => view(one, x, y, 0)));
  const wanted = normalizeColours(known).map((one) => [0, 1, 2, 3].map((turn) => view(one, MARGIN, MARGIN, turn)));
  return windows.map((views) =>
    wanted.map((turns) => {
      let best = -1;
      for (const one of views) {
        for (const other of turns) {
          let sum = 0;
          for (let at = 0; at < one.length; at++) sum += one[at] * other[at];
          if (sum > best) best = sum;
        }
      }
      return best;
    }),
  );
}

/** All ways in which a tile can be slightly off its place. */
function shifts() {
  const all = 2 * MARGIN + 1;
  return Array.from({ length: all * all }, (_, one) => [one % all, Math.floor(one / all)]);
}

/** Light and two colours of each sample, without the cast of the whole photo. @param {Patch[]} all */
function normalizeColours(all) {
  const length = GRID * GRID;
  const mean = [0, 0];
  const samples = all.map((patch) => {
    const values = new Float32Array(3 * length);
    for (let at = 0; at < length; at++) {
      const [red, green, blue] = patch.subarray(3 * at, 3 * at + 3);
      const light = (red + green + blue) / 3;
      values[3 * at] = light;
      values[3 * at + 1] = (red - green) / (light + 16);
      values[3 * at + 2] = ((red + green) / 2 - blue) / (light + 16);
      mean[0] += values[3 * at + 1] / (length * all.length);
      mean[1] += values[3 * at + 2] / (length * all.length);
    }
    return values;
  });
  for (const values of samples) {
    for (let at = 0; at < length; at++) {
      values[3 * at + 1] -= mean[0];
      values[3 * at + 2] -= mean[1];
    }
  }
  return samples;
}

/** A part of a patch, turned by quarters, as a vector of length 1. @param {Float32Array} values @param {number} left @param {number} top @param {number} turns */
function view(values, left, top, turns) {
  const vector = new Float32Array(3 * SIZE * SIZE);
  let light = 0;
  for (let at = 0; at < SIZE * SIZE; at++) {
    let [x, y] = [at % SIZE, Math.floor(at / SIZE)];
    for (let turn = 0; turn < turns; turn++) [x, y] = [y, SIZE - 1 - x];
    const from = 3 * ((top + y) * GRID + left + x);
    vector.set(values.subarray(from, from + 3), 3 * at);
    light += values[from] / (SIZE * SIZE);
  }
  let sum = 0;
  for (let at = 0; at < vector.length; at++) {
    vector[at] = at % 3 ? COLOUR * vector[at] : vector[at] / light - 1;
    sum += vector[at] ** 2;
  }
  const length = Math.sqrt(sum) || 1;
  return vector.map((value) => value / length);
}

/**
 * Propose a tile for each space, and no tile twice. A tile is sure if it is by far the likeliest for its space, and its
 * space by far the likeliest for it.
 * @param {number[][]} likenesses @returns {Reading[]}
 */
export function propose(likenesses) {
  const weights = likenesses.map((row) => row.map((like) => Math.exp((like - STRANGE) / STEP)));
  const columns = weights[0].map((_, tile) => weights.reduce((sum, row) => sum + row[tile], 1));
  const odds = weights.map((row) => {
    const sum = row.reduce((all, weight) => all + weight, 1);
    return row.map((weight, tile) => weight / Math.max(sum, columns[tile]));
  });
  /** @type {Reading[]} */
  const readings = odds.map((row) => {
    const [best, second] = row.toSorted((one, other) => other - one);
    return { odds: row, tile: -1, isDoubtful: best < SURE || best - second < LEAD };
  });
  const pairs = odds.flatMap((row, space) => row.map((chance, tile) => ({ chance, space, tile })));
  const taken = new Set();
  for (const { space, tile } of pairs.sort((one, other) => other.chance - one.chance)) {
    if (readings[space].tile >= 0 || taken.has(tile)) continue;
    readings[space].tile = tile;
    taken.add(tile);
  }
  return readings;
}

/** The flaw of a photo that keeps tiles from being read; null if it has none. @param {Photo} photo @returns {"dark" | "blurred" | "glare" | null} */
export function flaw({ width, height, data }) {
  const step = Math.max(2, Math.round(width / 360));
  const light = (/** @type {number} */ x, /** @type {number} */ y) => {
    const corner = 4 * (y * width + x) + 1;
    const half = 4 * Math.floor(step / 2);
    return Math.round(
      (data[corner] + data[corner + half] + data[corner + half * width] + data[corner + half * (width + 1)]) / 4,
    );
  };
  let [count, sum, white] = [0, 0, 0];
  // How many differences of each strength there are between pixels near each other, and farther away
  const [near, far] = [new Uint32Array(256), new Uint32Array(256)];
  for (let y = 0; y < height - step; y += step) {
    for (let x = 0; x < width - 7 * step; x += step) {
      const here = light(x, y);
      count++;
      sum += here;
      if (here >= 253) white++;
      near[Math.abs(here - light(x + 2 * step, y))]++;
      far[Math.abs(here - light(x + 6 * step, y))]++;
    }
  }
  const strong = (/** @type {Uint32Array} */ counts) => {
    let [left, at] = [count / 100, 255];
    while (at > 0 && left >= counts[at]) left -= counts[at--];
    return at;
  };
  if (sum / count < DARK) return "dark";
  if (white / count > GLARE) return "glare";
  return strong(near) / strong(far) < BLURRED ? "blurred" : null;
}
