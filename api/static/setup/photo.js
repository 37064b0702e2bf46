// An experiment: read the laid tiles from a photo. A first photo of tiles in a known order shows this browser what the
// tiles look like. Photos never leave the browser, and nothing is entered before Accept.

import { svg } from "../record/signs.js";
import { $, $$, around, h } from "../ui.js";
import { capitalize, counted, say, sayWith } from "../words.js";
import { albumOf, keepAlbum } from "./album.js";
import { drawBoard, picture } from "./board.js";
import { palette } from "./elements.js";
import { cornerPicker } from "./pins.js";
import { showProgress } from "./progress.js";
import { corners, flaw, isOutline, likeness, MOST_DOUBTS, patches, projection, propose } from "./reading.js";
import { Table } from "./table.js";

/** @typedef {import("./table.js").Value} Value */
/** @typedef {import("./reading.js").Point} Point */
/**
 * @typedef {{plan: ConstructorParameters<typeof Table>[0], page: import("./table.js").Page, given: (Value | null)[],
 *   box: string, atlas: Element, finish: (laid: Value[] | null) => void}} Entry
 *   `given` has the tiles entered so far, `box` names the album
 */

/** Longest side of the photo in pixels. */
const LONGEST = 1600;
const WHERE = () => [
  say("the top left of the first tile in the top row"),
  say("the top right of the upper tile on the far right"),
  say("the bottom right of the last tile in the bottom row"),
  say("the bottom left of the lower tile on the far left"),
];
const FLAWS = () => ({
  dark: say("The photo is dark."),
  blurred: say("The photo is blurred."),
  glare: say("The photo has glare."),
});

/** Read the tiles of the first screen from a photo. @param {Entry} entry */
export async function readPhoto({ plan, page, given, box, atlas, finish }) {
  let album = await albumOf(box);
  const draft = new Table(plan, page);
  const part = draft.parts[0];
  const at = part.at.map((index) => /** @type {Point} */ (draft.places[index].at));
  const tiles = part.families.flatMap(({ choices }) => choices.map(({ value }) => value));
  const rest = tiles.filter((value) => !given.includes(value));
  /** The order in which to lay the tiles for the album. */
  const order = given.map((value) => value ?? /** @type {Value} */ (rest.shift()));

  const photo = h("canvas");
  /** @type {Point[]} */
  const points = [];
  const span = Math.max(...at.flat());
  const usual = corners(at).map(([x, y]) => /** @type {Point} */ ([0.1 + (0.8 * x) / span, 0.1 + (0.8 * y) / span]));
  const { shot, draw } = cornerPicker(photo, points, usual, onCorners);
  /** @type {"take" | "corners" | "album" | "check"} */
  let stage = "take";
  let [hint, isChoosing] = ["", false];
  /** @type {import("./reading.js").Reading[]} */
  let readings = [];
  /** The doubtful spaces, and the space of the current question. @type {{doubts: number[], asked: number | null}} */
  let open = { doubts: [], asked: null };
  /** @type {(typeof open)[]} */
  const before = [];

  const input = h("input", {
    type: "file",
    accept: "image/*",
    capture: "environment",
    class: "visually-hidden",
    tabindex: -1,
  });
  const bar = h("div", { class: "bar photo-bar", role: "group", "aria-label": say("Setup") });
  const listening = new AbortController();
  input.addEventListener("change", take);
  $("setup").append(bar, input);
  // Photo entry uses the elements of the setup page until it ends.
  $("setup").addEventListener("click", onClick, { capture: true, signal: listening.signal });

  /** @param {Value[] | null} laid */
  function end(laid) {
    listening.abort();
    for (const one of [bar, input, shot]) one.remove();
    $("grid").hidden = false;
    finish(laid);
  }

  async function take() {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    try {
      const picture = await createImageBitmap(file);
      const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
      [photo.width, photo.height] = [picture.width, picture.height].map((side) => Math.round(side * scale));
      pen().drawImage(picture, 0, 0, photo.width, photo.height);
      const found = flaw(pixels());
      [stage, points.length, hint] = ["corners", 0, found ? FLAWS()[found] : ""];
      draw();
    } catch {
      hint = say("This file is not a picture. Choose another one.");
    }
    show();
  }

  const pen = () => /** @type {CanvasRenderingContext2D} */ (photo.getContext("2d", { willReadFrequently: true }));
  const pixels = () => pen().getImageData(0, 0, photo.width, photo.height);

  /** Read the photo once all corners are tapped. */
  function onCorners() {
    hint = "";
    if (points.length === usual.length && !isOutline(points)) hint = say("The corners do not fit. Drag the dots.");
    else if (points.length === usual.length && !album) {
      stage = "album";
      draft.put(part.at.map((index, place) => [index, order[place]]));
    } else if (points.length === usual.length && album) {
      const known = album;
      readings = propose(likeness(patches(pixels(), points, at), known.patches));
      const doubts = [...readings.keys()].filter((place) => readings[place].isDoubtful);
      const count = readings.length - doubts.length;
      if (doubts.length > MOST_DOUBTS)
        hint = say("Only {count} of {total} tiles could be read. Retake the photo, drag the dots, or cancel.", {
          count,
          total: readings.length,
        });
      else {
        [stage, before.length] = ["check", 0];
        open = { doubts, asked: doubts[0] ?? null };
        draft.put(part.at.map((index, place) => [index, known.values[readings[place].tile]]));
      }
    }
    show();
  }

  /** @param {number} place @param {Value} value */
  function settle(place, value) {
    const other = draft.find(part, value);
    before.push(open);
    draft.steps.push([...draft.given]);
    const swapped = draft.given[part.at[place]];
    draft.given[part.at[place]] = value;
    let doubts = open.doubts.filter((one) => one !== place);
    if (other >= 0 && other !== place) {
      draft.given[part.at[other]] = swapped;
      // The other space loses its tile, so ask for it again.
      doubts = [...new Set([...doubts, other])].sort((one, next) => one - next);
    }
    open = { doubts, asked: doubts.find((one) => one > place) ?? doubts[0] ?? null };
    isChoosing = false;
  }

  function undo() {
    if (isChoosing) isChoosing = false;
    else if (stage === "check" && before.length) {
      draft.undo();
      open = /** @type {typeof open} */ (before.pop());
    } else if (stage === "check" || stage === "album") {
      draft.undo();
      stage = "corners";
      points.pop();
    } else if (points.length) points.pop();
    else stage = "take";
    hint = "";
    draw();
    show();
  }

  async function learn() {
    album = { values: order, patches: patches(pixels(), points, at) };
    await keepAlbum(box, album);
    draft.undo();
    stage = "take";
    if (given.every((value) => value !== null)) end(null);
    else show();
  }

  /** @param {Event} event */
  function onClick(event) {
    if (shot.contains(/** @type {Node} */ (event.target))) return;
    const target = around(event, "button");
    if (!target) return;
    event.stopPropagation();
    const { key = "", photo: action } = target.dataset;
    const [kind, ...named] = key.split(".");
    const value = named.join(".");
    if (action === "take") input.click();
    else if (action === "cancel" || target.id === "back") end(null);
    else if (action === "undo") undo();
    else if (action === "learn") learn();
    else if (action === "relearn") album = null;
    else if (action === "choose") isChoosing = true;
    else if (action === "accept" && !open.doubts.length) end(/** @type {Value[]} */ (draft.values(part)));
    else if (kind === "space" && stage === "check") [open, isChoosing] = [{ ...open, asked: Number(value) }, false];
    else if (kind === "tile" && open.asked !== null) settle(open.asked, value);
    if (["relearn", "choose"].includes(action ?? "") || key) show();
  }

  /** @param {string} action @param {string} label @param {Record<string, any>} [more] */
  const button = (action, label, more = {}) =>
    h("button", { type: "button", class: "button", "data-photo": action, ...more }, label);
  const drawn = (/** @type {Value} */ value) => picture(atlas, String(value));

  /** The piece of the photo with a tile. @param {number} place */
  function piece(place) {
    const project = projection(corners(at), points);
    const [left, top] = corners([at[place]])[0];
    const ends = [0, 1, 2, 3].map((one) => project(left + (one % 2), top + Math.floor(one / 2)));
    const [xs, ys] = [0, 1].map((axis) => ends.map((end) => end[axis]));
    const side = 1.2 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    const [x, y] = [xs, ys].map((all) => (Math.max(...all) + Math.min(...all) - side) / 2);
    const canvas = h("canvas", { width: 160, height: 160, "aria-hidden": "true" });
    canvas.getContext("2d")?.drawImage(photo, x, y, side, side, 0, 0, 160, 160);
    return canvas;
  }

  /** The corners on the outline. @returns {Node[]} */
  function key() {
    const cells = at.map(([column, row]) =>
      svg("rect", { x: 12 * column - 6, y: 12 * row - 6, width: 11, height: 11, rx: 2 }),
    );
    const dots = corners(at).flatMap(([x, y], number) => {
      const point = [6 + 12 * (x / 1.06), 6 + 12 * (y / 1.06)];
      const text = svg("text", { x: point[0], y: point[1] + 4.5 });
      text.append(String(number + 1));
      const kind = number === points.length ? "now" : "";
      return [svg("circle", { cx: point[0], cy: point[1], r: 8, class: kind }), text];
    });
    const size = 12 * span + 12;
    return [
      svg(
        "svg",
        { viewBox: `0 0 ${size} ${size}`, class: "key", role: "img", "aria-label": say("The four corners") },
        ...cells,
        ...dots,
      ),
      h(
        "p",
        {},
        say("Drag a dot to correct it. The four corners straighten the photo. The photo stays on this phone."),
      ),
    ];
  }

  /** The two best answers for the asked space. @param {number} place */
  function answers(place) {
    const { odds } = readings[place];
    const known = /** @type {import("./album.js").Album} */ (album).values;
    const best = [...odds.keys()].sort((one, other) => odds[other] - odds[one]);
    const rows = best.slice(0, 2).map((tile) => {
      const value = known[tile];
      const percent = say("{percent} %", { percent: Math.round(100 * odds[tile]) });
      return h(
        "button",
        { type: "button", class: "answer", "data-key": `tile.${value}` },
        drawn(value),
        h("span", {}, draft.label(part, value)),
        h("small", {}, percent),
      );
    });
    return h(
      "div",
      { class: "answers" },
      h("figure", {}, piece(place), h("figcaption", {}, say("Your photo"))),
      ...rows,
      button("choose", say("Choose another tile")),
    );
  }

  function show() {
    const { doubts, asked } = open;
    const isChecking = stage === "check";
    $("setup").className = "with-board photo-mode";
    showProgress(draft, page, part.screen);
    $("title").textContent = isChecking ? say("Check the photo") : say("Use a photo");
    $("count").textContent = stage === "corners" ? say("{done} of {total}", { done: points.length, total: 4 }) : "";
    if (isChecking)
      $("count").textContent = say("{done} of {total} read", { done: at.length - doubts.length, total: at.length });
    $("back").hidden = false;
    $("players").hidden = true;
    if (stage === "corners" && !shot.isConnected) $("board").append(shot);
    if (stage !== "corners") shot.remove();
    $("grid").hidden = stage === "corners";
    const shown = { names: [], atlas, screen: part.screen, next: -1, changing: isChecking ? asked : null };
    const board =
      stage === "take" && !album ? new Table(plan, page, { given: draft.given.map(() => null), steps: [] }) : draft;
    if (board !== draft) board.put(part.at.map((index, place) => [index, order[place]]));
    drawBoard($("grid"), board, page.cells, shown);
    $$(".space", $("grid")).forEach((space, place) => {
      if (stage === "album") space.append(h("span", { class: "piece" }, piece(place)));
      if (isChecking && doubts.includes(place)) space.append(h("b", { class: "unsure" }, "?"));
    });
    $("ask").replaceChildren(...sentence().filter((one) => one !== ""));
    $("panel").replaceChildren(...panel());
    const cancel = button("cancel", say("Cancel"));
    const back = button("undo", say("Undo"));
    const isOpen = doubts.length > 0;
    const accept = button("accept", say("Accept"), {
      class: `button${isOpen ? "" : " primary"}`,
      "aria-disabled": isOpen,
    });
    const bars = {
      take: [album && button("relearn", say("New tile pictures")), cancel],
      corners: [button("take", say("Retake")), back, cancel],
      album: [back, button("learn", say("Keep pictures"), { class: "button primary" })],
      check: [isOpen && h("p", {}, say("{tiles} to check", { tiles: counted(doubts.length, "tile") })), back, accept],
    };
    bar.replaceChildren(...bars[stage].filter((one) => one instanceof Node));
    $("said").textContent = $("ask").textContent;
  }

  /** The instruction. @returns {(Node | string)[]} */
  function sentence() {
    const { doubts, asked } = open;
    const strong = (/** @type {string} */ text) => h("b", {}, text);
    const shown = (/** @type {Child[]} */ all) => /** @type {(Node | string)[]} */ (all.filter((one) => one));
    if (hint && (stage === "take" || points.length === usual.length)) return [hint];
    if (stage === "take" && !album) return [say("First, place your tiles as shown, and photograph them.")];
    if (stage === "take") return [say("Photograph the whole island from above.")];
    if (stage === "album") return [say("Does each space show your photo of its tile?")];
    if (stage === "corners") {
      const next = points.length;
      const corner = strong(say("corner {number}", { number: next + 1 }));
      return [hint && `${hint} `, ...shown(sayWith("Tap {corner}: {where}.", { corner, where: WHERE()[next] }))];
    }
    if (asked === null)
      return [say("Compare the tiles on the screen with the tiles on your table, then choose Accept.")];
    const space = strong(capitalize(part.names[asked]));
    const count = doubts.filter((one) => one !== asked).length;
    if (!count) return shown(sayWith("{space}: which tile is it?", { space }));
    return shown(sayWith("{space}: which tile is it? {count} more to check.", { space, count: String(count) }));
  }

  /** @returns {Node[]} */
  function panel() {
    if (stage === "corners") return [h("div", { class: "key-row" }, ...key())];
    if (stage === "check" && open.asked !== null) {
      const asked = draft.given[part.at[open.asked]];
      return isChoosing ? [palette(draft, part, asked, drawn)] : [answers(open.asked)];
    }
    if (stage === "check") return [h("p", { class: "photo-note" }, say("Tap a tile to change it."))];
    if (stage === "album")
      return [h("p", { class: "photo-note" }, say("If not, undo, and drag the dots or retake the photo."))];
    const first = say(
      "This phone learns your tiles from one photo. After that, one photo of the island sets up the board.",
    );
    return [
      h("p", { class: "photo-note" }, album ? "" : `${first} `, say("Photos stay on this phone. Nothing is uploaded.")),
      button("take", say("Take photo"), { class: "button primary large" }),
    ];
  }

  show();
  $("ask").focus();
}
