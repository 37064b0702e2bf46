// Which rejected taps are shown with their explanations.

import assert from "node:assert/strict";
import test from "node:test";

import "./browser.js";

const { isSlip } = await import("../../api/static/record/slip.js");

/** @param {object} problem */
const tap = (problem) => /** @type {any} */ ({ problem });
const LEFT_OUT = { kind: "unnoticed_end", seat: "p1", message: "Nobody noticed the end.", events: [] };

test("an illegal action is a slip even if nothing explains it", () => {
  assert.equal(isSlip(tap({ slug: "illegal-action", explanations: [] })), true);
  assert.equal(isSlip(tap({ slug: "illegal-action" })), false);
});

test("a tap after the end is one if nobody noticed it", () => {
  assert.equal(isSlip(tap({ slug: "game-over", explanations: [LEFT_OUT] })), true);
  assert.equal(isSlip(tap({ slug: "game-over", explanations: [] })), false);
});

test("what is entered by hand or seen first is no slip", () => {
  assert.equal(isSlip(tap({ slug: "illegal-action", explanations: [], instead: { message: "" } })), false);
  assert.equal(isSlip(null), false);
});
