// Rows of fields: each reads and writes one part of a box.

import { h } from "./ui.js";
import { say } from "./words.js";

/** @typedef {Record<string, any>} Document */
/** @typedef {{element: HTMLElement, read: () => any, offer?: () => void}} Row */

let count = 0;

/** Return a name as an id, like the service does. @param {string} name @param {string} otherwise */
export function idOf(name, otherwise) {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/['’]|[^\x20-\x7e]/g, "");
  const id = plain.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^[_0-9]+|_+$/g, "");
  return (id || otherwise).slice(0, 30);
}

/**
 * A field for the member `part` of a row's document.
 * @param {string} label @param {HTMLElement} control @param {string} part
 */
function field(label, control, part) {
  count += 1;
  control.id = `part-${count}`;
  return h("div", { class: "field", "data-part": part }, h("label", { for: control.id }, label), control);
}

/** @param {any} value @param {Record<string, any>} [how] */
function text(value, how = {}) {
  const input = h("input", { type: "text", autocomplete: "off", maxlength: 60, ...how });
  input.value = value ?? "";
  return input;
}

/** @param {any} value @param {Record<string, any>} [how] */
function number(value, how = {}) {
  return text(value, { type: "number", inputmode: "numeric", ...how });
}

/** The value of an optional number. @param {HTMLInputElement} input */
function numberIn(input) {
  return input.value === "" ? undefined : input.valueAsNumber;
}

/** @param {[string, string][]} options @param {string} value */
function select(options, value) {
  return h(
    "select",
    {},
    options.map(([one, title]) => h("option", { value: one, selected: one === value }, title)),
  );
}

/** @param {string} label @param {boolean} checked */
function check(label, checked) {
  const input = h("input", { type: "checkbox", checked });
  return { input, element: h("label", { class: "choice" }, input, label) };
}

/** The entries of a list with commas or lines. @param {string} typed */
function parseList(typed) {
  return typed
    .split(/[,;\n]/)
    .map((one) => one.trim())
    .filter(Boolean);
}

/** @param {Document} place */
function kindOf(place) {
  return place.grid?.shape ?? (place.spaces?.length ? "spaces" : (place.kind ?? "open"));
}

/** @param {Document | undefined} given @param {{isOwn: boolean, onChange: () => void}} how @returns {Row} */
export function placeRow(given, { isOwn, onChange }) {
  /** @type {[string, string][]} */
  const kinds = [
    ["open", say("Face up")],
    ["pile", say("Face-down pile")],
    ["square", say("Board of squares")],
    ["hex", say("Board of hexagons")],
    ["spaces", say("Named spaces")],
  ];
  if (isOwn) kinds.unshift(["hand", say("Hidden hand")]);
  const title = text(given?.title ?? given?.id);
  const kind = select(kinds, given ? kindOf(given) : "open");
  const columns = number(given?.grid?.columns ?? 8, { min: 1, max: 20 });
  const rows = number(given?.grid?.rows ?? 8, { min: 1, max: 20 });
  const spaces = text((given?.spaces ?? []).join(", "), { maxlength: 6000 });
  const size = h(
    "div",
    { class: "row", "data-part": "grid" },
    field(say("Columns"), columns, "grid/columns"),
    field(say("Rows"), rows, "grid/rows"),
  );
  const named = field(say("Spaces, separated by commas"), spaces, "spaces");
  const isGrid = () => kind.value === "square" || kind.value === "hex";
  const show = () => {
    size.hidden = !isGrid();
    named.hidden = kind.value !== "spaces";
  };
  const read = () => ({
    id: given?.id ?? idOf(title.value, "place"),
    title: title.value.trim() || undefined,
    kind: kind.value === "hand" || kind.value === "pile" ? kind.value : "open",
    per_player: isOwn,
    spaces: kind.value === "spaces" ? parseList(spaces.value) : [],
    grid: isGrid() ? { shape: kind.value, columns: columns.valueAsNumber, rows: rows.valueAsNumber } : null,
  });
  const element = h("div", {}, field(say("Name"), title, "title"), field(say("Kind"), kind, "kind"), size, named);
  element.addEventListener("change", () => {
    show();
    onChange();
  });
  show();
  return { element, read };
}

/** A line with the number of copies behind a sign: "Smithy x10". */
const COPIES = /^(.*\S) +[x×] ?(\d+)$/gm;

/** @param {Document} thing @param {() => Document[]} placesNow @returns {Row} */
export function thingRow(thing, placesNow) {
  const isMixed = Boolean(thing.each?.length);
  const isEndless = thing.count === "unlimited";
  const copies = isEndless || isMixed ? "" : `\t${thing.count ?? 1}`;
  const list = h("textarea", { spellcheck: "false", maxlength: 30000 });
  list.value = thing.cards ?? (thing.name && !isMixed ? `${thing.name}${copies}` : "");
  const name = text(isMixed ? thing.name : "");
  const words = h("textarea", { spellcheck: "false" });
  words.value = (thing.each ?? []).map((/** @type {string[]} */ one) => one.join(", ")).join("\n");
  const each = number(isEndless ? 1 : ((isMixed || thing.cards ? thing.count : null) ?? 1), { min: 1, max: 500 });
  const mode = select(
    [
      ["list", say("A list")],
      ["mixed", say("All combinations of words")],
    ],
    isMixed ? "mixed" : "list",
  );
  const place = select([], "");
  const own = check(say("One set for each player, in their colour"), Boolean(thing.per_player));
  const endless = check(say("Unlimited supply"), isEndless);
  const listField = field(say("Cards or things, one per line"), list, "cards");
  const mixed = h(
    "div",
    {},
    field(say("Name"), name, "name"),
    field(say("One line for each property, such as colour, with its values separated by commas"), words, "each"),
  );
  const show = () => {
    listField.hidden = mode.value !== "list";
    mixed.hidden = mode.value === "list";
  };
  /** Offer the places, and the spaces of each; a place that is gone stays chosen, so that its error is shown here. */
  const offer = () => {
    const spots = placesNow().flatMap((one) => spacesOf(one));
    const wanted = place.value || thing.place || spots[0]?.[0];
    const known = spots.find(([value]) => alike(value, wanted ?? "")) ?? [wanted ?? "", wanted ?? "–"];
    const all = spots.includes(known) ? spots : [...spots, known];
    place.replaceChildren(...all.map(([value, said]) => h("option", { value, selected: value === known[0] }, said)));
  };
  const read = () => ({
    ...(mode.value === "list"
      ? { cards: list.value.trim().replaceAll(COPIES, "$1\t$2") || undefined }
      : {
          name: name.value.trim() || undefined,
          each: words.value
            .split("\n")
            .map(parseList)
            .filter((one) => one.length > 0),
        }),
    place: place.value,
    count: endless.input.checked ? "unlimited" : each.valueAsNumber,
    per_player: own.input.checked,
  });
  const element = h(
    "div",
    {},
    mode,
    listField,
    mixed,
    h(
      "div",
      { class: "row" },
      field(say("Starting place"), place, "place"),
      field(say("Copies of each"), each, "count"),
    ),
    own.element,
    endless.element,
  );
  mode.setAttribute("aria-label", say("Kind of list"));
  mode.addEventListener("change", show);
  show();
  return { element, read, offer };
}

/** @param {string} a @param {string} b */
function alike(a, b) {
  const [one, other] = [a, b].map((text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"));
  return one === other;
}

/** The values of a place for things: itself, or its spaces. @param {Document} place @returns {[string, string][]} */
function spacesOf({ id, title, spaces, grid }) {
  const name = title ?? id;
  /** @type {string[]} */
  let all = spaces;
  if (grid)
    all = Array.from(
      { length: Math.min(400, grid.columns * grid.rows || 0) },
      (_, at) => String.fromCharCode(65 + (at % grid.columns)) + (1 + Math.floor(at / grid.columns)),
    );
  return all.length ? all.map((space) => [`${id}.${space}`, `${name}: ${space}`]) : [[id, name]];
}

const SHORT = /^\s*\d{1,2}\s*d\s*\d{1,3}\s*$/i;

/** @param {Document | string | undefined} given @returns {Row} */
export function diceRow(given) {
  const dice = typeof given === "string" ? {} : (given ?? {});
  const faces = text(typeof given === "string" ? given : dice.faces?.join(", "), { maxlength: 6000 });
  const title = text(dice.title ?? dice.id);
  const many = number(dice.count ?? 1, { min: 1, max: 20 });
  const manyField = field(say("Number of dice"), many, "count");
  const show = () => (manyField.hidden = SHORT.test(faces.value));
  const read = () => {
    const short = faces.value.replaceAll(/\s/g, "").toLowerCase();
    if (SHORT.test(faces.value) && !title.value.trim()) return short;
    const [number_, sides] = short.split("d").map(Number);
    const typed = parseList(faces.value);
    const isNumber = typed.every((face) => /^\d+$/.test(face));
    return {
      id: dice.id ?? idOf(title.value, "dice"),
      title: title.value.trim() || undefined,
      count: SHORT.test(faces.value) ? number_ : many.valueAsNumber,
      faces: SHORT.test(faces.value)
        ? Array.from({ length: sides }, (_, at) => at + 1)
        : isNumber
          ? typed.map(Number)
          : typed,
    };
  };
  const element = h(
    "div",
    {},
    field(say("Dice or faces"), faces, "faces"),
    h("div", { class: "row" }, field(say("Name"), title, "title"), manyField),
  );
  faces.addEventListener("input", show);
  show();
  return { element, read };
}

/** @param {Document | undefined} given @param {{isScore: boolean, onChange: () => void}} how @returns {Row} */
export function meterRow(given, { isScore, onChange }) {
  const isOwn = given?.per_player ?? true;
  const title = text(given?.title ?? given?.id);
  const kind = select(
    [
      ["score", say("Counts toward the score")],
      ["own", say("A number for each player")],
      ["table", say("One number for all players")],
      ["own-words", say("A word for each player")],
      ["table-words", say("One word for all players")],
    ],
    isScore || !given ? "score" : `${isOwn ? "own" : "table"}${given.words?.length ? "-words" : ""}`,
  );
  const words = text((given?.words ?? []).join(", "), { maxlength: 4000 });
  const [start, least, most] = ["start", "least", "most"].map((name) =>
    number(given?.words?.length ? "" : given?.[name]),
  );
  const named = field(say("Words, separated by commas"), words, "words");
  const limits = h(
    "div",
    { class: "row" },
    field(say("Start"), start, "start"),
    field(say("At least"), least, "least"),
    field(say("At most"), most, "most"),
  );
  const hasWords = () => kind.value.endsWith("words");
  const show = () => {
    named.hidden = !hasWords();
    limits.hidden = hasWords();
  };
  const read = () => ({
    id: given?.id ?? idOf(title.value, "meter"),
    title: title.value.trim() || undefined,
    per_player: !kind.value.startsWith("table"),
    ...(hasWords()
      ? { words: parseList(words.value), start: words.value && given?.words?.length ? given.start : undefined }
      : { start: numberIn(start), least: numberIn(least), most: numberIn(most) }),
    isScore: kind.value === "score",
  });
  const element = h("div", {}, field(say("Name"), title, "title"), field(say("Kind"), kind, "kind"), named, limits);
  element.addEventListener("change", () => {
    show();
    onChange();
  });
  show();
  return { element, read };
}

/** @param {Document | undefined} given @param {() => Document[]} metersNow @returns {Row} */
export function buttonRow(given, metersNow) {
  const [step, ...others] = given?.steps ?? [{ do: "set", by: 1 }];
  const isSimple = others.length === 0 && step.do === "set" && step.by !== undefined && step.by !== null;
  const title = text(given?.title ?? given?.id);
  const meter = select([], "");
  const by = number(step.by ?? 1);
  const offer = () => {
    const meters = metersNow();
    const wanted = meter.value || step.meter || meters[0]?.id || "";
    const known = meters.some(({ id }) => id === wanted) ? meters : [...meters, { id: wanted, title: wanted || "–" }];
    meter.replaceChildren(
      ...known.map((one) => h("option", { value: one.id, selected: one.id === wanted }, one.title ?? one.id)),
    );
  };
  const read = () => ({
    id: given?.id ?? idOf(title.value, "button"),
    title: title.value.trim() || undefined,
    steps: isSimple ? [{ do: "set", meter: meter.value, by: by.valueAsNumber }] : given?.steps,
  });
  const adds = h(
    "div",
    { class: "row" },
    field(say("Line of the score sheet"), meter, "steps/0/meter"),
    field(say("Add"), by, "steps/0/by"),
  );
  const kept = h(
    "p",
    { class: "hint" },
    say("This form cannot show the {count} steps of this button. They stay as they are.", { count: others.length + 1 }),
  );
  return { element: h("div", {}, field(say("Name"), title, "title"), isSimple ? adds : kept), read, offer };
}
