// The board of a setup: spaces with tiles, a table that is already laid out, or adjacent hexagons.

import { $$, h } from "../ui.js";
import { say } from "../words.js";
import { initial, pawn, space, thing } from "./elements.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Value} Value */
/**
 * @typedef {{names: string[], atlas: Element, screen: number, next: number, changing: number | null}} Shown
 *   `next` is the place of the laid part to fill next, or -1
 */

/** The kinds of parts whose answers are taps on the laid tiles. */
const TAPPED = ["lay", "mark", "state", "stand"];

/** The picture with this name. @param {Element} atlas @param {string} name */
export const picture = (atlas, name) => $$(`[data-picture="${name}"]`, atlas)[0]?.cloneNode(true) ?? h("span");

/**
 * Put the board into the grid.
 * @param {HTMLElement} grid @param {Table} table @param {import("./table.js").Cell[]} cells @param {Shown} shown
 */
export function drawBoard(grid, table, cells, shown) {
  const walk = table.parts.find(({ kind }) => kind === "walk");
  const spaces =
    walk && walk.screen === shown.screen
      ? walkSpaces(table, walk)
      : (spacesOfTiles(table, shown) ?? tableSpaces(table, cells, shown));
  grid.replaceChildren(...spaces);
  grid.classList.toggle("hexagons", Boolean(walk));
  const most = (/** @type {(one: HTMLElement) => string} */ line) =>
    Math.max(0, ...spaces.map((one) => Number(line(one))));
  // A hexagon is two columns wide.
  grid.style.setProperty("--columns", String(most((one) => one.style.gridColumnStart) + (walk ? 1 : 0)));
  grid.style.setProperty("--rows", String(most((one) => one.style.gridRowStart)));
}

/** The hexagons laid face down, and the free places beside the last one. @param {Table} table @param {import("./table.js").Part} walk */
function walkSpaces(table, walk) {
  const { laid: hexagons } = table.path(walk);
  const free = table.ahead(walk);
  const at = table.inGrid([...hexagons, ...free.map((one) => one.at)]);
  const number = hexagons.length;
  return [
    ...hexagons.map((_, place) => {
      const isLast = place > 0 && place === number - 1;
      const label = isLast ? say("Tile {number}: remove", { number }) : say("tile {number}", { number: place + 1 });
      const key = isLast ? `walk.${place}.null` : "";
      return space({
        key,
        at: at[place],
        label,
        number: place + 1,
        picture: null,
        kind: "filled",
        value: null,
        pawns: [],
      });
    }),
    ...free.map(({ value }, side) => {
      const label = say("Tile {number} here, at side {side}", { number: number + 1, side: value });
      return space({
        key: `walk.${number}.${value}`,
        at: at[number + side],
        label,
        number: number + 1,
        picture: null,
        kind: "empty now",
        value,
        pawns: [],
      });
    }),
  ];
}

/** The spaces of the part whose tiles are laid. @param {Table} table @param {Shown} shown */
function spacesOfTiles(table, { names, atlas, screen, next, changing }) {
  const part = table.parts.find(({ kind }) => kind === "lay");
  if (!part) return null;
  const walk = table.parts.find(({ kind }) => kind === "walk");
  const at = walk ? table.inGrid(table.path(walk).laid) : part.at.map((index) => table.places[index].at ?? [1, 1]);
  const marked = table.parts.find(({ kind }) => kind === "mark");
  const states = table.parts.find(({ kind }) => kind === "state");
  const isTapped = table.parts.some((one) => one.screen === screen && TAPPED.includes(one.kind));
  const choices = part.families.flatMap((family) => family.choices);
  const values = table.values(part);
  return values.map((value, place) => {
    const id = table.idAt(part, place);
    const mark = marked ? table.find(marked, id) : -1;
    const lit = place === next || place === changing ? " now" : "";
    const label = value === null ? part.names[place] : table.label(part, value);
    // On a late page, tiles have states, and a mark is about a card.
    const state = states ? table.stateOf(states, id).state : mark < 0 ? null : "marked";
    const isNumber = typeof state === "number";
    const isListed = states !== undefined && marked?.screen === screen && mark >= 0;
    const told = [label, ...signs(table, marked, states, id)].join(", ");
    const isOneOfMany = !part.report?.ids.length && values.filter((one) => one === value).length > 1;
    const which = values.slice(0, place + 1).filter((one) => one === value).length;
    return space({
      key: isTapped ? `space.${place}` : "",
      at: at[place] ?? [1, 1],
      label: value === null || part.screen !== screen ? told : `${part.names[place]}: ${told}`,
      number: place + 1,
      picture: value === null ? null : picture(atlas, state === null || isNumber ? String(value) : `${value}.${state}`),
      kind: `${value === null ? "empty" : "filled"}${lit}${mark >= 0 ? " marked" : ""}`,
      value: part.screen === screen ? value : id,
      colour: choices.find((one) => one.value === value)?.colour,
      pawns: [
        ...(isNumber ? [h("b", { class: "which" }, String(state))] : []),
        ...(value !== null && (isOneOfMany || isListed)
          ? [h("b", { class: "which" }, isListed ? "✓" : String(which))]
          : pawnsOn(table, names, id)),
      ],
    });
  });
}

/**
 * Words for the state and the mark of a tile.
 * @param {Table} table @param {import("./table.js").Part | undefined} marked @param {import("./table.js").Part | undefined} states @param {Value | null} value
 */
function signs(table, marked, states, value) {
  const isMarked = marked !== undefined && table.find(marked, value) >= 0;
  if (!states) return isMarked ? [say("flooded")] : [];
  const { state } = table.stateOf(states, value);
  return [state !== null && table.label(states, state), isMarked && marked.group].filter((one) => one !== false);
}

/** The spaces of a table that is laid already. @param {Table} table @param {import("./table.js").Cell[]} cells @param {Shown} shown */
function tableSpaces(table, cells, { atlas, screen }) {
  const marked = table.parts.find(({ kind }) => kind === "mark");
  const isFree = marked?.screen === screen && table.next(marked) >= 0;
  return cells.map(({ at, picture: name, label, value }) => {
    const mark = marked ? table.find(marked, value) : -1;
    const told = mark < 0 ? label : `${label}: ${marked?.slots[mark]}`;
    const kind = mark >= 0 ? "filled marked" : isFree && value !== null ? "free" : "";
    const key = value === null ? "" : `cell.${value}`;
    const drawn = picture(atlas, mark < 0 ? name : (marked?.pictures[mark] ?? name));
    return space({ key, at, label: told, number: 0, picture: drawn, kind, value, pawns: [] });
  });
}

/** The pawns on a tile. @param {Table} table @param {string[]} names @param {Value | null} value */
function pawnsOn(table, names, value) {
  const stand = table.parts.find(({ kind, owners }) => kind === "stand" && !owners.length);
  const roles = table.parts.find(({ kind, choices }) => kind === "deal" && choices.some(({ form }) => form));
  if (value === null) return [];
  const things = table.parts.flatMap((part) =>
    part.kind === "stand" ? part.owners.filter((_, place) => table.given[part.at[place]] === value) : [],
  );
  const pawns = (roles ? table.values(roles) : []).flatMap((role, seat) => {
    const choice = roles?.choices.find((one) => one.value === role);
    const place = stand ? table.given[stand.at[seat]] : choice?.start;
    return choice && place === value ? [pawn(choice, initial(names[seat]))] : [];
  });
  return things.length + pawns.length ? [h("span", { class: "crowd" }, ...things.map(thing), ...pawns)] : [];
}
