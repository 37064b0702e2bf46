// Adjust the table where no action describes the change: by facts, with the reason and who agreed.

import { h } from "../ui.js";
import { say } from "../words.js";
import { factSheet } from "./factsheet.js";
import { field } from "./sheets.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./factsheet.js").Agreement} Agreement */

/**
 * @param {Table} table
 * @param {Recorder} record
 * @param {{why?: string}} given  the service's suggestion
 */
export async function adjustSheet(table, record, { why = "" } = {}) {
  await factSheet(table, record, agreementFields(table, why));
}

/** The fields for the reason and who agreed. @param {Table} table @param {string} why @returns {Agreement} */
function agreementFields(table, why) {
  const reason = h("input", { type: "text", maxlength: "2000", value: why });
  const agreed = table.game.seats.map((seat, index) => {
    const input = h("input", { type: "checkbox", value: `p${index + 1}`, checked: true });
    return { input, element: h("label", { class: "choice" }, input, seat.name) };
  });
  const choices = h(
    "div",
    { class: "choices" },
    agreed.map((one) => one.element),
  );
  const read = () => {
    if (!reason.value.trim()) throw new Error(say("Enter a reason."));
    const seats = agreed.filter((one) => one.input.checked).map((one) => one.input.value);
    return { reason: reason.value.trim(), ...(seats.length ? { agreed_by: seats } : {}) };
  };
  return {
    elements: [
      field(say("Why"), reason),
      h("fieldset", { class: "field" }, h("legend", {}, say("Who agreed")), choices),
    ],
    read,
  };
}
