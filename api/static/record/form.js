// A form for whatever fits a JSON Schema, as far as rulesets use it.

import { h } from "../ui.js";
import { words } from "./table.js";

let count = 0;

function newId() {
  count += 1;
  return `field-${count}`;
}

/**
 * A form for `schema`.
 * @param {object} schema  JSON Schema (2020-12), with its `$defs`
 * @param {{value?: any, name?: (text: string) => string}} options
 *   `value` is what stands in it at first, `name` puts a name to an identifier ("Ann" for "p1")
 * @returns {{element: Element, read: () => any}}  `read` throws an Error that says what is missing
 */
export function schemaForm(schema, { value, name = words } = {}) {
  const at = { definitions: schema.$defs || {}, name };
  return field(schema, "", value, at);
}

function field(schema, label, value, at) {
  if (schema.$ref) return field(at.definitions[schema.$ref.split("/").at(-1)], label, value, at);
  if ("const" in schema) return { element: h("span", { hidden: true }), read: () => schema.const };
  const ways = schema.oneOf || schema.anyOf;
  if (ways) return choice(ways, label, value, at);
  if (schema.enum) return select(schema.enum, label, value, at);
  if (schema.type === "object" && schema.properties) return group(schema, label, value, at);
  if (schema.type === "boolean") return checkbox(label, value ?? schema.default ?? false);
  if (schema.type === "integer" || schema.type === "number") return number(schema, label, value);
  if (schema.type === "null") return { element: h("span", { hidden: true }), read: () => null };
  if (schema.type === "array" && schema.items && schema.items.enum) return several(schema, label, value, at);
  if (schema.type === "string") return text(schema, label, value);
  return json(schema, label, value);
}

function labelled(label, input, hint) {
  const id = newId();
  input.id = id;
  return h("div", { class: "field" }, h("label", { for: id }, label || "Value"), input, hint && h("p", { class: "hint" }, hint));
}

function select(options, label, value, at) {
  const input = h(
    "select",
    {},
    options.map((option, index) =>
      h("option", { value: String(index), selected: option === value }, typeof option === "string" ? at.name(option) : String(option)),
    ),
  );
  return { element: labelled(label, input), read: () => options[Number(input.value)], input };
}

function checkbox(label, value) {
  const input = h("input", { type: "checkbox", checked: Boolean(value) });
  return { element: h("label", { class: "choice" }, input, label), read: () => input.checked };
}

function number(schema, label, value) {
  const least = schema.minimum ?? schema.exclusiveMinimum;
  const input = h("input", {
    type: "number",
    inputmode: "numeric",
    min: least,
    max: schema.maximum,
    step: schema.type === "integer" ? 1 : "any",
    value: String(value ?? schema.default ?? least ?? 0),
  });
  const range = least !== undefined && schema.maximum !== undefined ? `${least} to ${schema.maximum}` : null;
  const read = () => {
    if (input.value === "" || !input.checkValidity()) throw new Error(`${label || "The number"}: ${range || "a number"}, please.`);
    return Number(input.value);
  };
  return { element: labelled(label, input, range), read };
}

function text(schema, label, value) {
  const input = h("input", { type: "text", value: value ?? schema.default ?? "", maxlength: schema.maxLength });
  return { element: labelled(label, input), read: () => input.value };
}

function json(schema, label, value) {
  const input = h("textarea", { spellcheck: "false", class: "mono" });
  input.value = JSON.stringify(value ?? schema.default ?? (schema.type === "array" ? [] : null));
  const read = () => {
    try {
      return JSON.parse(input.value);
    } catch {
      throw new Error(`${label || "The value"}: this is not JSON.`);
    }
  };
  return { element: labelled(label, input, "As JSON"), read };
}

function several(schema, label, value, at) {
  const boxes = schema.items.enum.map((option) => {
    const input = h("input", { type: "checkbox", checked: (value || []).includes(option) });
    return { option, input, element: h("label", { class: "choice" }, input, at.name(String(option))) };
  });
  const [least, most] = [schema.minItems ?? 0, schema.maxItems ?? boxes.length];
  const read = () => {
    const chosen = boxes.filter((box) => box.input.checked).map((box) => box.option);
    if (chosen.length < least || chosen.length > most) {
      throw new Error(`${label}: ${least === most ? least : `${least} to ${most}`} of these, please.`);
    }
    return chosen;
  };
  const element = h("fieldset", { class: "field" }, h("legend", {}, label), h("div", { class: "choices" }, boxes.map((box) => box.element)));
  return { element, read };
}

function group(schema, label, value, at) {
  const required = new Set(schema.required || []);
  const parts = Object.entries(schema.properties).map(([key, part]) => {
    const inner = field(part, words(key), value ? value[key] : undefined, at);
    return { key, inner, isOptional: !required.has(key) };
  });
  const read = () => {
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

/** One of several schemas: which one is asked first. */
function choice(ways, label, value, at) {
  const names = ways.map((way, index) => wayName(way, index, at));
  let start = ways.findIndex((way) => seemsToFit(way, value, at));
  if (start < 0) start = Math.max(0, ways.findIndex((way) => way.type === "null"));
  let inner = null;
  const host = h("div", { class: "way" });
  const show = (index) => {
    inner = field(ways[index], label && ways[index].enum ? label : "", index === start ? value : undefined, at);
    host.replaceChildren(inner.element);
  };
  const which = h(
    "select",
    { onchange: () => show(Number(which.value)) },
    names.map((text, index) => h("option", { value: String(index), selected: index === start }, text)),
  );
  show(start);
  return { element: h("div", { class: "field" }, labelled(label || "Which", which), host), read: () => inner.read() };
}

function resolved(way, at) {
  return way.$ref ? at.definitions[way.$ref.split("/").at(-1)] : way;
}

/** What tells a way from the others: its constants, else its name. */
function wayName(way, index, at) {
  if (way.type === "null") return "none";
  const properties = Object.values(resolved(way, at).properties || {});
  const fixed = properties.map((part) => part.const ?? (part.enum && part.enum.length === 1 ? part.enum[0] : null));
  const said = fixed.filter((one) => one !== null).map((one) => at.name(String(one)));
  if (said.length) return said.join(", ");
  if (way.enum) return "one of these";
  return way.$ref ? words(way.$ref.split("/").at(-1)) : `way ${index + 1}`;
}

function seemsToFit(way, value, at) {
  if (value === undefined) return false;
  if (value === null) return way.type === "null";
  const schema = resolved(way, at);
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === "integer") return Number.isInteger(value);
  if (schema.type !== "object" || typeof value !== "object") return false;
  return Object.entries(schema.properties || {}).every(([key, part]) => {
    if ("const" in part) return value[key] === part.const;
    return part.enum && part.enum.length === 1 ? value[key] === part.enum[0] : true;
  });
}
