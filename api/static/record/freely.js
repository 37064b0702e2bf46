// Any action at all, by a form: what is not among the buttons, because the rules forbid it or the network is away.

import { h } from "../ui.js";
import { schemaForm } from "./form.js";
import { field } from "./sheets.js";
import { words } from "./table.js";

/**
 * Fields for one action of the ruleset.
 * @param {import("./table.js").Table} table
 * @param {{actor?: string, type?: string, params?: object}} given  what stands in them at first
 * @returns {{elements: Element[], read: () => {type: string, actor: string, params: object, label: string}}}
 */
export function actionFields(table, given = {}) {
  const name = (text) => (/^p\d$/.test(text) ? table.name(text) : words(text));
  const seats = table.game.seats.map((_, index) => `p${index + 1}`);
  const actor = h(
    "select",
    {},
    seats.map((seat) => h("option", { value: seat, selected: seat === (given.actor || table.now.awaiting[0]) }, table.name(seat))),
  );
  const host = h("div", { class: "params" });
  const summary = h("p", { class: "hint" });
  let params = null;
  const show = () => {
    const kind = table.ruleset.actions.find((one) => one.type === type.value);
    summary.textContent = kind.summary;
    params = schemaForm(kind.params, { value: kind.type === given.type ? given.params : undefined, name });
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
          .map((kind) => h("option", { value: kind.type, selected: kind.type === given.type }, words(kind.type))),
      ),
    ),
  );
  show();
  return {
    elements: [field("Who", actor), field("What", type), summary, host],
    read: () => ({
      type: type.value,
      actor: actor.value,
      params: params.read(),
      label: `${words(type.value)} (${table.name(actor.value)})`,
    }),
  };
}

/** The form of a range: a kind of action with any params that fit. @returns {{element, read}} */
export function rangeForm(table, range) {
  const name = (text) => (/^p\d$/.test(text) ? table.name(text) : words(text));
  return schemaForm(range.params, { name });
}
