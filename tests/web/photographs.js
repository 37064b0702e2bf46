// A camera above a table: photos of laid tiles with perspective, blur, noise, a gradient and a cast of the light.

import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { projection } from "../../api/static/setup/reading.js";

const SIDE = 32;

/** The tiles of the setup page, from a picture with a palette and unfiltered rows. */
export function boxOfTiles() {
  const file = readFileSync(new URL("tiles.png", import.meta.url));
  const chunks = {};
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    chunks[file.toString("latin1", at + 4, at + 8)] = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
  }
  const width = chunks.IHDR.readUInt32BE(0);
  const rows = inflateSync(chunks.IDAT);
  const colour = (x, y) => chunks.PLTE.subarray(3 * rows[y * (width + 1) + 1 + x]).subarray(0, 3);
  return Array.from({ length: width / SIDE }, (_, tile) => ({
    at: (x, y) => colour(tile * SIDE + Math.floor(x * SIDE), Math.floor(y * SIDE)),
  }));
}

/** Random numbers that a test can repeat (mulberry32). */
export function randoms(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Take a photo of tiles on spaces (columns and rows).
 * @returns the photo, and the corners that a careful thumb taps
 */
export function photographed(tiles, at, random, how = {}) {
  const {
    width = 360,
    skew = 0.12,
    gap = 0.08,
    offset = 0.03,
    turn = 0.05,
    blur = 1,
    noise = 8,
    gradient = 0.3,
    exposure = 0.75,
    cast = [1, 1, 1],
    quarter = 0,
    slip = 0.04,
    glare = 0,
  } = how;
  const height = width * 1.25;
  const off = (by) => (random() * 2 - 1) * by;
  const [columns, rows] = [0, 1].map((axis) => Math.max(...at.map((one) => one[axis])) * (1 + gap) - gap);
  const frame = [
    [0, 0],
    [columns, 0],
    [columns, rows],
    [0, rows],
  ];
  const seen = [
    [0.1, 0.15],
    [0.9, 0.15],
    [0.9, 0.85],
    [0.1, 0.85],
  ].map(([x, y]) => [width * (x + off(skew)), height * (y + off(skew))]);
  const toTable = projection(seen, frame);
  const toPhoto = projection(frame, seen);
  const laid = at.map(([column, row], space) => ({
    x: (column - 1) * (1 + gap) + 0.5 + off(offset),
    y: (row - 1) * (1 + gap) + 0.5 + off(offset),
    angle: off(turn) + (Math.floor(random() * 4) * quarter * Math.PI) / 2,
    tile: tiles[space],
  }));
  const grid = new Map(laid.map((one, space) => [`${at[space]}`, one]));
  const table = [90 + off(60), 70 + off(50), 50 + off(40)];
  const colourAt = (x, y) => {
    const [cx, cy] = [Math.floor(x / (1 + gap)) + 1, Math.floor(y / (1 + gap)) + 1];
    for (const near of [
      [0, 0],
      [-1, 0],
      [0, -1],
      [1, 0],
      [0, 1],
    ]) {
      const one = grid.get(`${[cx + near[0], cy + near[1]]}`);
      if (!one) continue;
      const [dx, dy] = [x - one.x, y - one.y];
      const u = dx * Math.cos(one.angle) + dy * Math.sin(one.angle) + 0.5;
      const v = dy * Math.cos(one.angle) - dx * Math.sin(one.angle) + 0.5;
      if (u >= 0 && u < 1 && v >= 0 && v < 1) return one.tile.at(u, v);
    }
    return table;
  };
  const plain = new Float32Array(width * height * 3);
  const direction = random() * 2 * Math.PI;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt(...toTable(x, y));
      const along = ((x / width - 0.5) * Math.cos(direction) + (y / height - 0.5) * Math.sin(direction)) * 2;
      const light = exposure * (1 + gradient * along);
      const shine = glare * Math.max(0, 1 - Math.hypot(x / width - 0.5, y / height - 0.4) / 0.2) * 255;
      for (let one = 0; one < 3; one++) plain[3 * (y * width + x) + one] = colour[one] * light * cast[one] + shine;
    }
  }
  const soft = blurred(plain, width, height, blur);
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let one = 0; one < width * height * 3; one++) {
    data[4 * Math.floor(one / 3) + (one % 3)] = soft[one] + off(noise) + off(noise);
  }
  const side = Math.hypot(...[0, 1].map((axis) => toPhoto(3, 3)[axis] - toPhoto(2, 3)[axis]));
  const corner = (space, x, y) => {
    const [column, row] = at[space];
    const point = toPhoto((column - 1) * (1 + gap) + x, (row - 1) * (1 + gap) + y);
    return point.map((value) => value + off(slip) * side);
  };
  const corners = [corner(0, 0, 0), corner(11, 1, 0), corner(23, 1, 1), corner(12, 0, 1)];
  return { photo: { width, height, data }, corners };
}

/** Blur by three boxes one after the other, in both directions. */
function blurred(plain, width, height, radius) {
  let from = plain;
  for (let pass = 0; pass < 6 && radius > 0; pass++) {
    const to = new Float32Array(from.length);
    const [step, line, count, lines] = pass % 2 ? [width, 1, height, width] : [1, width, width, height];
    for (let one = 0; one < lines; one++) {
      for (let channel = 0; channel < 3; channel++) {
        for (let at = 0; at < count; at++) {
          let sum = 0;
          for (let near = -radius; near <= radius; near++) {
            const inside = Math.min(Math.max(at + near, 0), count - 1);
            sum += from[3 * (one * line + inside * step) + channel];
          }
          to[3 * (one * line + at * step) + channel] = sum / (2 * radius + 1);
        }
      }
    }
    from = to;
  }
  return from;
}
