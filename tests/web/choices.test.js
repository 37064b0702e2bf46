// The choices of a sheet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser } from "./browser.js";

new Browser();
const { menuButtons } = await import("../../api/static/record/sheets.js");

test("choices that continue the first one come next, show only the rest, and have their whole names", () => {
  const labels = ["Move Ann to A", "Move Bob to B", "Move Ann to A, taking Bob to C"];
  const list = menuButtons(
    labels.map((label) => [label, () => {}]),
    () => {},
  );
  const shown = list.children.map(({ children, attributes }) => [children.join(""), attributes.get("aria-label")]);
  assert.deepEqual(shown, [
    ["Move Ann to A", undefined],
    ["… taking Bob to C", "Move Ann to A, taking Bob to C"],
    ["Move Bob to B", undefined],
  ]);
});
