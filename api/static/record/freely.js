// A form for any action, for actions without a button: illegal ones, or while offline.

import { h } from "../ui.js";
import { say } from "../words.js";
import { schemaForm } from "./form.js";
import { field } from "./sheets.js";
import { namer, OWNED } from "./table.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {{actor?: string | null, type?: string, params?: object}} Given */

/**
 * Fields for one action of the ruleset.
 * @param {Table} table
 * @param {Given} given  the initial values
 * @returns {{elements: Element[], read: () => {type: string, actor: string, params: Record<string, unknown>, label: string}}}
 */
export function actionFields(table, given = {}) {
  const seats = table.game.seats.map((_, index) => `p${index + 1}`);
  const actor = h(
    "select",
    {},
    seats.map((seat) =>
      h("option", { value: seat, selected: seat === (given.actor || table.now.awaiting[0]) }, table.name(seat)),
    ),
  );
  const host = h("div", { class: "params" });
  const summary = h("p", { class: "hint" });
  /** @type {Form} */
  let params;
  const show = () => {
    const kind = table.ruleset.actions.find((one) => one.type === type.value) ?? table.ruleset.actions[0];
    const value = kind.type === given.type ? given.params : undefined;
    summary.textContent = kind.summary;
    params = formAt(table, kind.params, value);
    host.replaceChildren(params.element);
  };
  const type = h(
    "select",
    { onchange: show },
    [...new Set(table.ruleset.actions.map((kind) => kind.rule))].map((rule) =>
      h(
        "optgroup",
        { label: rule },
        table.ruleset.actions
          .filter((kind) => kind.rule === rule)
          .map((kind) => h("option", { value: kind.type, selected: kind.type === given.type }, kind.title)),
      ),
    ),
  );
  show();
  return {
    elements: [field(say("Who"), actor), field(say("What"), type), summary, host],
    read: () => ({
      type: type.value,
      actor: actor.value,
      params: params.read(),
      label: `${table.titleOf(type.value)} (${table.name(actor.value)})`,
    }),
  };
}

/**
 * The form of a range: a kind of action with any valid params.
 * @param {Table} table
 * @param {LegalRange} range
 */
export function rangeForm(table, range) {
  return formAt(table, range.params);
}

/** The form of a schema at this table. @param {Table} table @param {Schema} schema @param {unknown} [value] */
function formAt(table, schema, value) {
  const { words, titles } = table.ruleset;
  const players = table.game.seats.map((seat) => seat.name);
  return schemaForm(atTable(table, schema), { value, titles, name: namer(words, players) });
}

/**
 * A schema without empty seats and their belongings.
 * @param {Table} table
 * @param {Schema} schema
 * @returns {Schema}
 */
function atTable(table, schema) {
  const isThere = (/** @type {unknown} */ one) => {
    const seat = OWNED.exec(String(one))?.[1];
    return !seat || Number(seat.slice(1)) <= table.game.seats.length;
  };
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === "enum" && Array.isArray(value) ? value.filter(isThere) : value,
  );
}
