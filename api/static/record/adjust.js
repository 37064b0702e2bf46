// The table is put right where no action does it: a value of the state is changed, with the reason and who agreed.

import { api } from "../api.js";
import { h } from "../ui.js";
import { field, formSheet } from "./sheets.js";
import { words } from "./table.js";

const MOST = 60;

/** Every value of a document with its RFC 6901 pointer. */
function* leaves(document, pointer = "") {
  if (document === null || typeof document !== "object") {
    yield [pointer, document];
    return;
  }
  for (const [key, part] of Object.entries(document)) {
    yield* leaves(part, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }
}

/** "Pawns › 2 › At" for "/pawns/1/at". */
function spoken(pointer) {
  const keys = pointer.slice(1).split("/");
  return keys.map((key) => (/^\d+$/.test(key) ? String(Number(key) + 1) : words(key))).join(" › ");
}

/** A value as it is typed: what is no JSON is a text. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * @param {import("./table.js").Table} table
 * @param {(body: object, label: string) => void} record
 * @param {{patch?: object[], why?: string}} given  what the service proposes
 */
export async function adjustSheet(table, record, given = {}) {
  const { state } = await api(`${table.url}/state`);
  const changes = new Map((given.patch || []).filter((one) => one.op === "replace").map((one) => [one.path, one.value]));
  // What stands alone comes before what is one of many.
  const depth = ([pointer]) => pointer.split("/").length;
  const all = [...leaves(state)].sort((one, other) => depth(one) - depth(other));
  const search = h("input", { type: "search", placeholder: "such as water", autocomplete: "off" });
  const list = h("div", { class: "values" });
  const reason = h("input", { type: "text", maxlength: "2000", value: given.why || "" });
  const agreed = table.game.seats.map((seat, index) => {
    const input = h("input", { type: "checkbox", value: `p${index + 1}`, checked: true });
    return { input, element: h("label", { class: "choice" }, input, seat.name) };
  });
  const show = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ([pointer, value]) => {
      const text = `${spoken(pointer)} ${value}`.toLowerCase();
      return wanted.length > 0 && wanted.every((word) => text.includes(word));
    };
    const found = all.filter(([pointer, value]) => changes.has(pointer) || fits([pointer, value])).slice(0, MOST);
    list.replaceChildren(...found.map(([pointer, value]) => valueField(pointer, value)));
  };
  const valueField = (pointer, value) => {
    const input = h("input", { type: "text", value: String(changes.get(pointer) ?? value) });
    input.addEventListener("input", () => {
      const now = typeof value === "string" ? input.value : parsed(input.value);
      if (now === value) changes.delete(pointer);
      else changes.set(pointer, now);
    });
    input.id = `value-${pointer}`;
    return h("div", { class: "field" }, h("label", { for: input.id }, spoken(pointer)), input);
  };
  search.addEventListener("input", show);
  show();
  formSheet(
    "Put the table right",
    [
      h("p", { class: "soft" }, "For what no action can say. The record tells what was changed, and why."),
      field("Find a value", search),
      list,
      field("Why", reason),
      h("fieldset", { class: "field" }, h("legend", {}, "Who agreed"), h("div", { class: "choices" }, agreed.map((one) => one.element))),
    ],
    {
      submit: "Change the table",
      onSubmit: () => {
        if (changes.size === 0) throw new Error("Find a value and change it, please.");
        if (!reason.value.trim()) throw new Error("Why, please.");
        const patch = [...changes].map(([path, value]) => ({ op: "replace", path, value }));
        const seats = agreed.filter((one) => one.input.checked).map((one) => one.input.value);
        const params = { patch, reason: reason.value.trim(), ...(seats.length ? { agreed: seats } : {}) };
        record({ type: "adjust", actor: null, params }, "Put the table right");
      },
    },
  );
}
