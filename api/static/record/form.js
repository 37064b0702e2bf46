// A form for a JSON Schema, as far as rulesets use it.

import { h } from "../ui.js";
import { language, say } from "../words.js";

let count = 0;

function newId() {
  count += 1;
  return `field-${count}`;
}

/**
 * A form for `schema`.
 * @param {Schema} schema
 * @param {{value?: any, name: (text: string) => string, titles: Record<string, string>, isInOrder?: boolean}} options
 *   `value`: the initial value; `name` returns the name of an identifier ("Ann" for "p1"); `titles`: the titles of
 * members; `isInOrder`: a list keeps its order and its duplicates
 * @returns {Form}
 */
export function schemaForm(schema, { value, name, titles, isInOrder = false }) {
  const at = { definitions: schema.$defs || {}, name, titles, isInOrder };
  return field(schema, "", value, at);
}

/**
 * The context shared by all parts of a form: the schema definitions, and the names of identifiers.
 * @typedef {{definitions: Record<string, Schema>, name: (text: string) => string, titles: Record<string, string>,
 *   isInOrder: boolean, isWay?: boolean, isOptional?: boolean}} Context
 *   `isWay`: the part is one of several alternatives, already chosen; `isOptional`: it may be left out
 */

/**
 * The part of a form for `schema`, with the initial `value`; a part ignores a value that does not fit.
 * @param {Schema} schema
 * @param {string} label
 * @param {any} value
 * @param {Context} at
 * @returns {Form}
 */
function field(schema, label, value, at) {
  if (schema.$ref) return field(resolveReference(schema, at), label, value, at);
  if ("const" in schema) return { element: h("span", { hidden: true }), read: () => schema.const };
  const ways = schema.properties ? whole(schema) : schema.oneOf || schema.anyOf;
  if (ways?.length === 1) return field(ways[0], label, value, at);
  if (ways)
    return isText(ways) ? text(ways[0], label, value ?? "", { isOptional: true }) : choice(ways, label, value, at);
  if (schema.enum) return select(schema.enum, label, value ?? schema.default, at);
  if (schema.type === "object" && schema.properties) return group(schema, label, value, at);
  if (schema.type === "boolean") return checkbox(label, value ?? schema.default ?? false);
  if (schema.type === "integer" || schema.type === "number") return number(schema, label, value, at);
  if (schema.type === "null") return { element: h("span", { hidden: true }), read: () => null };
  if (schema.type === "array" && schema.items?.enum && !at.isInOrder)
    return schema.uniqueItems === false ? counts(schema, label, value, at) : several(schema, label, value, at);
  if (schema.type === "array" && schema.items) return list(schema, label, value, at);
  if (schema.type === "string") return text(schema, label, value);
  return json(schema, label, value);
}

/**
 * The alternatives of an object that has `properties` besides, each as a whole; undefined without alternatives.
 * @param {Schema} schema
 * @returns {Schema[] | undefined}
 */
function whole({ anyOf, ...schema }) {
  return anyOf?.map((way) => {
    const properties = { ...schema.properties };
    for (const [name, part] of Object.entries(way.properties ?? {}))
      properties[name] = { ...properties[name], ...part };
    const required = [...(schema.required ?? []), ...(way.required ?? [])];
    return { ...schema, properties, required, title: way.title };
  });
}

/** @param {string} label @param {HTMLElement} input @param {string | null} [hint] */
function labelledField(label, input, hint) {
  const id = newId();
  input.id = id;
  return h(
    "div",
    { class: "field" },
    h("label", { for: id }, label || say("Value")),
    input,
    hint && h("p", { class: "hint" }, hint),
  );
}

/** The names of values that are not texts. @type {Map<unknown, string>} */
const NAMED = new Map([
  [null, "–"],
  [true, say("Yes")],
  [false, say("No")],
]);

/** @param {unknown[]} options @param {string} label @param {unknown} value @param {Context} at */
function select(options, label, value, at) {
  const input = h(
    "select",
    {},
    options.map((option, index) =>
      h(
        "option",
        { value: String(index), selected: option === value },
        typeof option === "string" ? at.name(option) : (NAMED.get(option) ?? String(option)),
      ),
    ),
  );
  return { element: labelledField(label, input), read: () => options[Number(input.value)], input };
}

/** @param {string} label @param {unknown} value */
function checkbox(label, value) {
  const input = h("input", { type: "checkbox", checked: Boolean(value) });
  return { element: h("label", { class: "choice" }, input, label), read: () => input.checked };
}

/**
 * @param {Schema} schema
 * @param {string} label
 * @param {unknown} value
 * @param {{isOptional?: boolean}} [how]  an optional number without a default may stay empty
 */
function number(schema, label, value, { isOptional = false } = {}) {
  const least = schema.minimum ?? schema.exclusiveMinimum;
  const mayBeEmpty = isOptional && schema.default === undefined;
  const input = h("input", {
    type: "number",
    inputmode: "numeric",
    min: least,
    max: schema.maximum,
    step: schema.type === "integer" ? 1 : "any",
    value: String(value ?? schema.default ?? (mayBeEmpty ? "" : (least ?? 0))),
  });
  const range =
    least !== undefined && schema.maximum !== undefined
      ? say("{least} to {most}", { least, most: schema.maximum })
      : null;
  const read = () => {
    if (mayBeEmpty && input.value === "" && input.validity.valid) return undefined;
    if (input.value === "" || !input.checkValidity())
      throw new Error(
        say("{what}: enter {range}.", { what: label || say("The number"), range: range || say("a number") }),
      );
    return Number(input.value);
  };
  return { element: labelledField(label, input, mayBeEmpty ? say("Optional") : range), read };
}

/** The pattern of identifiers in rulesets: typed text is converted to it. */
const IDENTIFIER = "^[a-z0-9_]";

/**
 * @param {Schema} schema
 * @param {string} label
 * @param {unknown} value
 * @param {{isOptional?: boolean}} [how]
 */
function text(schema, label, value, { isOptional = false } = {}) {
  const isIdentifier = schema.pattern?.startsWith(IDENTIFIER);
  const input = h("input", { type: "text", value: value ?? schema.default ?? "", maxlength: schema.maxLength });
  const read = () => {
    const said = input.value.trim();
    if (isOptional && !said) return null;
    if (said.length < (schema.minLength ?? (isIdentifier ? 1 : 0)))
      throw new Error(say("{what}: enter a value.", { what: label || say("The text") }));
    return isIdentifier ? said.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_") : said;
  };
  return { element: labelledField(label, input, isOptional ? say("Optional") : null), read };
}

/** Return true if the alternatives are a text and null. @param {Schema[]} ways */
function isText(ways) {
  return ways.length === 2 && ways[0].type === "string" && !ways[0].enum && ways[1].type === "null";
}

/** @param {Schema} schema @param {string} label @param {unknown} value */
function json(schema, label, value) {
  const input = h("textarea", { spellcheck: "false", class: "mono" });
  input.value = JSON.stringify(value ?? schema.default ?? (schema.type === "array" ? [] : null));
  const read = () => {
    try {
      return JSON.parse(input.value);
    } catch {
      throw new Error(say("{what}: this is not valid JSON.", { what: label || say("The value") }));
    }
  };
  return { element: labelledField(label, input, say("As JSON")), read };
}

/**
 * A list with a form for each entry; the user adds entries.
 * @param {Schema} schema
 * @param {string} label
 * @param {any[] | undefined} value
 * @param {Context} at
 * @returns {Form}
 */
function list(schema, label, value, at) {
  const [least, most] = [schema.minItems ?? 0, schema.maxItems ?? Number.POSITIVE_INFINITY];
  const one = (language === "en" ? label.replace(/s$/, "") : label) || say("Entry");
  const items = schema.items ?? {};
  const isPlain = items.type === "string";
  /** @type {{inner: Form, title: Element, remove: Element, element: Element}[]} */
  const rows = [];
  const host = h("div", { class: "stack" });
  const more = h("button", { type: "button", class: "button" }, say("Add: {what}", { what: one }));
  const show = () => {
    for (const [index, row] of rows.entries()) {
      row.title.textContent = `${one} ${index + 1}`;
      row.remove.setAttribute("aria-label", say("Remove {what} {number}", { what: one, number: index + 1 }));
    }
    more.hidden = rows.length >= most;
  };
  /** @param {unknown} given */
  const add = (given) => {
    const inner = field(items, isPlain ? one : "", given, { ...at, isOptional: false });
    const title = h("legend", {});
    const remove = h("button", { type: "button", class: "button quiet" }, say("Remove"));
    const row = { inner, title, remove, element: h("fieldset", { class: "field part" }, title, inner.element, remove) };
    remove.addEventListener("click", () => {
      rows.splice(rows.indexOf(row), 1);
      row.element.remove();
      show();
      more.focus();
    });
    rows.push(row);
    host.append(row.element);
    show();
  };
  for (const given of value || Array(least).fill(undefined)) add(given);
  show();
  // The next entry is often of the same kind as the last one.
  more.addEventListener("click", () => add(items.$ref ? rows.at(-1)?.inner.read() : undefined));
  const read = () => {
    if (rows.length < least) throw new Error(say("{what}: enter at least {least}.", { what: label, least }));
    return rows.map((row) => row.inner.read());
  };
  return { element: h("fieldset", { class: "field" }, h("legend", {}, label), host, more), read };
}

/**
 * A counter for each of some values.
 * @param {Schema} schema
 * @param {string} label
 * @param {any[] | undefined} value
 * @param {Context} at
 * @returns {Form}
 */
function counts(schema, label, value, at) {
  const [least, most] = [schema.minItems ?? 0, schema.maxItems ?? Number.POSITIVE_INFINITY];
  const inputs = (schema.items?.enum ?? []).map((option) => {
    const given = (value || []).filter((one) => one === option).length;
    return {
      option,
      ...number({ type: "integer", minimum: 0, maximum: schema.maxItems }, at.name(String(option)), given),
    };
  });
  const read = () => {
    const chosen = inputs.flatMap((input) => Array(input.read()).fill(input.option));
    if (chosen.length < least || chosen.length > most)
      throw new Error(say("{what}: choose {least} to {most} in total.", { what: label, least, most }));
    return chosen;
  };
  const elements = inputs.map((input) => input.element);
  return { element: h("fieldset", { class: "field part" }, h("legend", {}, label), elements), read };
}

/** How often a list may have a value, such as the dice that show one number. @param {Schema} schema @param {unknown} value */
function copies(schema, value) {
  return schema.allOf?.find(({ contains }) => contains?.const === value)?.maxContains ?? 1;
}

/**
 * @param {Schema} schema
 * @param {string} label
 * @param {any[] | undefined} value
 * @param {Context} at
 * @returns {Form}
 */
function several(schema, label, value, at) {
  const options = (schema.items?.enum ?? []).flatMap((option) => Array(copies(schema, option)).fill(option));
  const isAll = schema.minItems === options.length;
  const boxes = options.map((option) => {
    const input = h("input", { type: "checkbox", checked: isAll || (value || []).includes(option) });
    return { option, input, element: h("label", { class: "choice" }, input, at.name(String(option))) };
  });
  const [least, most] = [schema.minItems ?? 0, schema.maxItems ?? boxes.length];
  const read = () => {
    const chosen = boxes.filter((box) => box.input.checked).map((box) => box.option);
    if (chosen.length < least || chosen.length > most) {
      const range = least === most ? least : say("{least} to {most}", { least, most });
      throw new Error(say("{what}: choose {range} of these.", { what: label, range }));
    }
    return chosen;
  };
  const element = h(
    "fieldset",
    { class: "field" },
    h("legend", {}, label),
    h(
      "div",
      { class: "choices" },
      boxes.map((box) => box.element),
    ),
  );
  return { element, read };
}

/**
 * @param {Schema} schema
 * @param {string} label
 * @param {any} value
 * @param {Context} at
 * @returns {Form}
 */
function group(schema, label, value, at) {
  const required = new Set(schema.required || []);
  const parts = Object.entries(schema.properties ?? {}).map(([key, part]) => {
    // The alternative is already chosen.
    const [only, ...others] = part.enum ?? [];
    const isSaid = at.isWay && part.enum !== undefined && others.length === 0;
    const title = at.titles[part.title ?? key];
    const inner = field(isSaid ? { const: only } : part, title, value ? value[key] : undefined, {
      ...at,
      isWay: false,
      isOptional: !required.has(key),
    });
    return { key, inner };
  });
  const read = () => {
    /** @type {Record<string, unknown>} */
    const document = {};
    for (const { key, inner } of parts) document[key] = inner.read();
    return document;
  };
  const elements = parts.map((part) => part.inner.element);
  const element = label
    ? h("fieldset", { class: "field part" }, h("legend", {}, label), elements)
    : h("div", { class: "fields" }, elements);
  return { element, read };
}

/**
 * One of several schemas: first choose which.
 * @param {Schema[]} ways
 * @param {string} label
 * @param {unknown} value
 * @param {Context} at
 * @returns {Form}
 */
function choice(ways, label, value, at) {
  const names = ways.map((way, index) => wayName(way, index, at));
  let start = ways.findIndex((way) => seemsToFit(way, value, at));
  if (start < 0)
    start = Math.max(
      0,
      ways.findIndex((way) => way.type === "null"),
    );
  /** @type {Form} */
  let inner;
  const host = h("div", { class: "way" });
  /** @param {number} index */
  const show = (index) => {
    const said = resolveReference(ways[index], at).description;
    inner = field(ways[index], label && ways[index].enum ? label : "", index === start ? value : undefined, {
      ...at,
      isWay: true,
    });
    host.replaceChildren(...(said ? [h("p", { class: "hint" }, say(said))] : []), inner.element);
  };
  const which = h(
    "select",
    { onchange: () => show(Number(which.value)) },
    names.map((text, index) => h("option", { value: String(index), selected: index === start }, text)),
  );
  show(start);
  return {
    element: h("div", { class: "field" }, labelledField(label || say("Which"), which), host),
    read: () => inner.read(),
  };
}

/** @param {Schema} way @param {Context} at */
function resolveReference(way, at) {
  return way.$ref ? at.definitions[nameOf(way.$ref)] : way;
}

/** The name in a reference: "Effect" in "#/$defs/Effect". @param {string} reference */
function nameOf(reference) {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/**
 * The label of an alternative: its constants, otherwise its name.
 * @param {Schema} way
 * @param {number} index
 * @param {Context} at
 */
function wayName(way, index, at) {
  if (way.title && (way.properties || way.type === "null" || way.type === "array")) return way.title;
  if (way.type === "null") return say("missing");
  if (way.type === "array" && way.items?.enum) return way.items.enum.map((one) => at.name(String(one))).join(", ");
  if (way.type === "array") return say("these");
  const properties = Object.values(resolveReference(way, at).properties || {});
  const fixed = properties.map((part) => part.const ?? (part.enum && part.enum.length === 1 ? part.enum[0] : null));
  const said = fixed.filter((one) => one !== null).map((one) => at.name(String(one)));
  if (said.length) return said.join(", ");
  if (way.enum) return say("one of these");
  return way.type === "integer" ? say("a number") : say("option {number}", { number: index + 1 });
}

/** @param {Schema} way @param {any} value @param {Context} at */
function seemsToFit(way, value, at) {
  if (value === undefined) return false;
  if (value === null) return way.type === "null";
  const schema = resolveReference(way, at);
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === "integer") return Number.isInteger(value);
  if (schema.type !== "object" || typeof value !== "object") return false;
  return Object.entries(schema.properties || {}).every(([key, part]) => {
    if ("const" in part) return value[key] === part.const;
    return part.enum && part.enum.length === 1 ? value[key] === part.enum[0] : true;
  });
}
