// The elements of a setup in pictures: spaces, palette, marks, players and their cards. They have no handlers of
// their own: each has a `data-key` for the tap handler.

import { syllables } from "../grid.js";
import { mini, sign, svg, useSymbol } from "../record/signs.js";
import { h } from "../ui.js";
import { say } from "../words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./table.js").Part} Part */
/** @typedef {import("./table.js").Choice} Choice */
/** @typedef {import("./table.js").Value} Value */
/** @typedef {(name: string) => Node} Picture */

/** Maximum number of pictures in a row of dealt things; more are counted. */
const MOST_MINIS = 5;
/** Maximum number of short values beside each other. */
const MOST_ABREAST = 5;

/**
 * @param {string} key
 * @param {string} kind
 * @param {string} label
 * @param {Record<string, any>} [more]
 * @param {...(Child | Child[])} children
 */
function button(key, kind, label, more = {}, ...children) {
  return h("button", { type: "button", class: kind, "data-key": key, "aria-label": label, ...more }, ...children);
}

/** The colour of the pawn that starts on a tile. @param {string | null | undefined} colour */
function home(colour) {
  if (!colour) return null;
  const style = { cx: 8, cy: 8, r: 6.5, fill: `var(--dl-${colour}-pawn)` };
  return svg("svg", { class: "home dl-board", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("circle", style));
}

/** The first letter of a name, also outside the BMP. @param {string} name */
export const initial = (name) => [...name][0]?.toUpperCase() ?? "";

/**
 * A pawn with a symbol or letters on it.
 * @param {{form: string | null, colour: string | null}} pawn
 * @param {Child} inner
 */
export function pawn({ form, colour }, inner) {
  const whole = { x: -24, y: -24, width: 48, height: 48 };
  const rim = useSymbol(`f-${form}`, { class: "badge-rim", ...whole });
  const face = useSymbol(`f-${form}`, { class: "badge-form", fill: `var(--dl-${colour}-pawn)`, ...whole });
  const badge = svg("svg", { class: "badge dl-board", viewBox: "-24 -24 48 48", "aria-hidden": "true" }, rim, face);
  return h("span", { class: "pawn" }, badge, h("span", { class: `on-pawn on-${colour} on-${form}` }, inner));
}

/** A thing on a tile, as its symbol or its first letter. @param {Choice} choice */
export function thing(choice) {
  return choice.symbol ? mini(choice) : h("span", { class: "no-pawn" }, initial(choice.label));
}

/**
 * A space of the board, with its tile or its number.
 * @param {{key: string, at: number[], label: string, number: number, picture: Node | null, kind: string, value: Value | null, colour?: string | null, pawns: Node[]}} space
 */
export function space({ key, at, label, number, picture, kind, value, colour, pawns }) {
  const inner = picture ? [picture, home(colour), ...pawns] : [h("span", { class: "number" }, String(number))];
  const element = key
    ? button(key, `space ${kind}`, label, { "data-value": value }, inner)
    : h("span", { class: `space ${kind}`, role: "img", "aria-label": label }, inner);
  element.style.gridArea = `${at[1]} / ${at[0]}`;
  return element;
}

/**
 * All tiles in a fixed order; a placed one stays in the palette, faded.
 * @param {Table} table @param {Part} part @param {Value | null} changed  the tile that is being changed @param {Picture} picture
 */
export function palette(table, part, changed, picture) {
  const left = table.remaining(part);
  return h(
    "div",
    { class: "palette", "data-arrows": "palette" },
    part.families.map(({ title, symbol, tint, choices }) => {
      const family = h(
        "section",
        { class: `family tint-${tint ?? "none"}`, "aria-label": title },
        h("h2", { "aria-hidden": "true" }, symbol && sign(symbol), title),
        h(
          "div",
          {},
          choices.map(({ value, label, short, colour }) => {
            const place = table.find(part, value);
            const count = left.get(value) ?? 0;
            const kind = `pick${count === 0 ? " laid" : ""}${value === changed ? " swap" : ""}`;
            const name = count > 0 ? label : say("{tile}, on {space}", { tile: label, space: part.names[place] });
            return button(
              `tile.${value}`,
              kind,
              name,
              { title: label, "data-value": value },
              h("span", { class: "picture" }, picture(String(value)), home(colour)),
              h("span", {}, short),
              count > 1 && h("span", { class: "number" }, `×${count}`),
            );
          }),
        ),
      );
      family.style.setProperty("--n", String(choices.length));
      return family;
    }),
  );
}

/** The marks in order; as steps if they differ. @param {Table} table @param {Part} part @param {Picture} picture */
export function marks(table, part, picture) {
  const values = table.values(part);
  const next = table.next(part);
  const isSteps = part.slots.length > 0;
  return h(
    "ol",
    { class: isSteps ? "steps plain" : "six plain" },
    values.map((value, place) => {
      const kind = value !== null ? "on" : place === next ? "now" : "";
      const label = table.label(part, value);
      if (isSteps) return h("li", { class: kind }, value !== null && sign("check"), part.slots[place]);
      if (value === null) return h("li", { class: kind }, String(place + 1));
      return h("li", { class: kind }, picture(`${value}.marked`), h("span", {}, label));
    }),
  );
}

/**
 * The players, or the things of a part, with what was dealt to them.
 * @param {Table} table @param {Part[]} parts  the dealt parts @param {string[]} names @param {{seat: number | null, place: number}} asked  the place in the whole setup
 */
export function seats(table, parts, names, asked) {
  const pawns = table.parts.find(({ kind }) => kind === "rank")?.choices;
  const [ask, none] = pawns ? [say("Tap a card"), say("No card")] : [say("Tap a role"), say("No role")];
  const owners = parts.at(-1)?.owners ?? [];
  // In a setup, the first part deals roles, or sheets without a pawn.
  const roles = parts.find(isOfRoles) ?? parts.find(({ each, report }) => each === 1 && !report);
  const stand = parts.find(({ kind }) => kind === "stand");
  const rows = owners.length ? owners.map(({ label }) => label) : names;
  const isTabs = parts.length === 1 && (roles || stand);
  return h(
    "div",
    {
      class: `seats${isTabs ? " tabs" : ""}${owners.length ? (parts[0].each > 1 ? " pile" : " things") : ""}`,
      role: "group",
      "aria-label": say("Players"),
    },
    rows.map((name, seat) => {
      const own = roles && choicesOf(table, roles, seat)[0]?.choice;
      const missing = seat === asked.seat ? ask : none;
      const is = own ? own.label : stand ? table.label(stand, table.given[stand.at[seat]]) : roles ? missing : "";
      // A hand of any size has no row of empty places.
      const held = parts
        .filter((part) => part !== roles && part !== stand)
        .flatMap((part) => choicesOf(table, part, seat))
        .filter(({ choice, index, isOptional }) => choice || !isOptional || index === asked.place);
      const told = [is, ...held.flatMap(({ choice }) => (choice ? [choice.label] : []))];
      const letters = initial(name);
      return button(
        `seat.${seat}`,
        `seat${seat === asked.seat ? " now" : ""}`,
        `${name}: ${told.filter(Boolean).join(", ")}`,
        { "aria-current": seat === asked.seat ? "step" : false },
        own?.form
          ? pawn(own, letters)
          : owners.length
            ? thing(owners[seat])
            : pawns
              ? pawn(pawns[seat], letters)
              : h("span", { class: "no-pawn" }, letters),
        h("span", { class: "who-is" }, h("b", {}, name), h("small", {}, is)),
        held.length > 0 && h("span", { class: "dealt" }, dealt(held, asked.place)),
      );
    }),
  );
}

/** True for the part that deals a role with a pawn to each player. @param {Part} part */
export const isOfRoles = ({ kind, each, choices }) =>
  kind === "deal" && each === 1 && choices.some(({ form }) => form !== null);

/** @typedef {{index: number, choice: Choice | undefined, isOptional: boolean}} Dealt */

/** Pictures of what a player holds; many things are counted. @param {Dealt[]} held @param {number} asked */
function dealt(held, asked) {
  const filled = held.filter(({ choice }) => choice);
  if (filled.length <= MOST_MINIS) {
    return held
      .slice(0, Math.max(MOST_MINIS, filled.length))
      .map(({ choice, index }, at) =>
        choice
          ? picked(choice)
          : h("span", { class: `slot${index === asked ? " now" : ""}` }, index === asked && `${at + 1}`),
      );
  }
  const kinds = [...new Set(filled.flatMap(({ choice }) => (choice ? [choice] : [])))];
  return kinds.map((one) =>
    h("span", { class: "times" }, picked(one), `×${filled.filter(({ choice }) => choice === one).length}`),
  );
}

/** A dealt thing: its symbol, its short name, or both. @param {Choice} choice */
function picked(choice) {
  if (choice.symbol && !choice.short) return mini(choice);
  return h("span", { class: "slot filled" }, choice.symbol && sign(choice.symbol), choice.short || choice.label);
}

/** @param {Table} table @param {Part} part @param {number} seat @returns {Dealt[]} */
function choicesOf(table, part, seat) {
  return table.seatPlaces(part, seat).map((index) => {
    const value = table.given[index];
    const typed = part.range && value !== null ? { value, label: String(value) } : undefined;
    const choice = part.choices.find((one) => one.value === value) ?? /** @type {Choice | undefined} */ (typed);
    return { index, choice, isOptional: part.report?.is_optional ?? false };
  });
}

/** @param {Part} part @param {string} [note] */
const title = (part, note = part.note) => h("h2", { class: "dealt-title" }, part.title, note && h("small", {}, note));

/** The numbers of tiles in each state, or with and without a mark. @param {Table} table @param {Part} part */
export function counts(table, part) {
  const values = table.values(part).filter((value) => value !== null);
  const isNumbers = part.choices.some(({ value }) => typeof value === "number");
  const rows = isNumbers
    ? [[part.group, values.reduce((sum, value) => Number(sum) + Number(value), 0)]]
    : part.choices.length
      ? part.choices.map(({ value, label }) => [label, values.filter((one) => one === value).length])
      : [[part.group, values.length]];
  return h(
    "ol",
    { class: "steps plain" },
    rows.map(([label, count]) =>
      h("li", { class: count ? "on" : "" }, `${initial(String(label))}${String(label).slice(1)}: ${count}`),
    ),
  );
}

/** Values to pick, each by one tap. @param {Table} table @param {Part} part */
export function picks(table, part) {
  const number = table.parts.indexOf(part);
  const grid = h(
    "div",
    { class: `picks${table.isMissing(part) ? " asked" : ""}`, "data-arrows": `pick.${number}` },
    part.choices.map((choice) => {
      const isOn = table.find(part, choice.value) >= 0;
      return button(
        `pick.${number}.${choice.value}`,
        `role${isOn ? " on" : ""}`,
        choice.label,
        { "aria-pressed": isOn, "data-value": choice.value },
        choice.symbol && mini(choice),
        h("span", {}, choice.symbol ? syllables(choice.label) : choice.label),
      );
    }),
  );
  grid.style.setProperty("--n", String(Math.min(part.choices.length, MOST_ABREAST)));
  return [title(part), part.range ? typed(table, part) : grid];
}

/** A number to type. @param {Table} table @param {Part} part */
function typed(table, part) {
  const number = table.parts.indexOf(part);
  const [least, most] = part.range ?? [0, 0];
  const field = h("input", { type: "number", inputmode: "numeric", min: least, max: most, "aria-label": part.title });
  return h("div", { class: "typed" }, field, button(`typed.${number}`, "button", say("Enter"), {}, say("Enter")));
}

/** Things in a list, each of which changes its state by taps. @param {Table} table @param {Part} part */
export function states(table, part) {
  const number = table.parts.indexOf(part);
  const values = table.values(part);
  return [
    counts(table, part),
    h(
      "div",
      { class: "four", "data-arrows": `list.${number}` },
      part.families[0].choices.map((thing, place) => {
        const value = values[place];
        const at = table.homeOf(part, place);
        const home = table.parts.find(({ group }) => group === part.of)?.choices.find((one) => one.value === at);
        const choice = home ?? thing;
        const label = value === null ? choice.label : `${choice.label}: ${table.label(part, value)}`;
        const nth = part.choices.findIndex((one) => one.value === value) + 1;
        const state = nth && part.of ? table.label(part, value) : "●".repeat(nth);
        return (
          at !== null &&
          button(
            `list.${number}.${thing.value}`,
            `shore${nth ? " on" : ""}`,
            label,
            { "data-value": thing.value },
            choice.symbol && mini(choice),
            h("span", {}, choice.short || choice.label, nth > 0 && h("b", {}, ` ${state}`)),
          )
        );
      }),
    ),
  ];
}

/** The places of equal components, such as the shores with a totem. @param {Table} table @param {Part} part */
export function shores(table, part) {
  const number = table.parts.indexOf(part);
  const values = table.values(part);
  const isFull = table.found(part) === part.names.length;
  const choices = part.families.flatMap((family) => family.choices);
  return [
    title(part, say("{done} of {total}", { done: table.found(part), total: part.names.length })),
    h(
      "div",
      { class: "four", "data-arrows": `find.${number}` },
      choices.map((choice, place) => {
        const isFound = values[place] === part.value;
        const more = { "aria-pressed": isFound, "aria-disabled": isFull && !isFound ? "true" : false };
        const kind = `shore${isFound ? " on" : ""}`;
        return button(
          `find.${number}.${place}`,
          kind,
          choice.label,
          { ...more, "data-value": choice.value },
          mini(isFound ? { ...choice, symbol: String(part.value) } : choice),
          h("span", {}, choice.short),
        );
      }),
    ),
  ];
}

/** The players to rank, each with a rank. @param {Table} table @param {Part} part */
export function ranks(table, part) {
  const number = table.parts.indexOf(part);
  return [
    title(part),
    h(
      "div",
      { class: `three${table.next(part) >= 0 ? " asked" : ""}`, "data-arrows": `rank.${number}` },
      part.choices.map((choice) => {
        const rank = table.find(part, choice.value);
        const told = rank < 0 ? choice.label : `${choice.label}: ${part.names[rank]}`;
        return button(
          `rank.${number}.${choice.value}`,
          `role${rank >= 0 ? " on" : ""}`,
          told,
          { "aria-pressed": rank >= 0, "data-value": choice.value },
          pawn(choice, initial(choice.label)),
          h("span", {}, rank >= 0 && part.at.length > 1 ? `${rank + 1}. ${choice.label}` : choice.label),
        );
      }),
    ),
  ];
}

/**
 * The choices to deal: roles, or kinds of cards with the number left. A choice without a symbol has a picture.
 * @param {Table} table @param {Part} part @param {boolean} isAsked @param {Picture} picture
 */
export function dealChoices(table, part, isAsked, picture) {
  if (part.range) return [title(part), typed(table, part)];
  const left = table.remaining(part);
  const place = table.parts.indexOf(part);
  const isShort = part.choices.every(({ label, symbol }) => label.length < 4 && !symbol);
  const arePlaces = part.choices.some(({ short, symbol }) => short && symbol);
  const columns = arePlaces ? "four" : isShort ? "picks" : "three";
  const grid = h(
    "div",
    { class: `${columns}${isAsked ? " asked" : ""}`, "data-arrows": `deal.${place}` },
    part.choices.map((choice) => {
      const count = left.get(choice.value) ?? 0;
      const isCard = !choice.form && choice.symbol;
      // The number left of an unknown card means nothing.
      const isCounted = isCard && !part.report?.returns && choice.value !== part.report?.unknown;
      const told = !isCounted ? choice.label : say("{card}, {count} left", { card: choice.label, count });
      const image = picture(String(choice.value));
      const more = { "aria-disabled": count > 0 ? false : "true", "data-value": choice.value };
      return button(
        `deal.${place}.${choice.value}`,
        arePlaces ? `shore${choice.short ? "" : " wide"}` : isCard ? "kind" : "role",
        told,
        more,
        choice.form
          ? pawn(choice, choice.symbol && sign(choice.symbol))
          : isCard
            ? mini(choice)
            : image.hasChildNodes() && h("span", { class: "picture" }, image),
        isCounted &&
          !arePlaces &&
          h(
            "small",
            { class: "number" },
            h("span", { class: "left" }, say("{count} left", { count })),
            h("span", { class: "times" }, `×${count}`),
          ),
        h("span", {}, arePlaces ? choice.short || choice.label : syllables(choice.label)),
      );
    }),
  );
  grid.style.setProperty("--n", String(Math.min(part.choices.length, MOST_ABREAST)));
  return [title(part), grid];
}
