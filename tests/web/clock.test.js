import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrder, localHour } from "../../api/static/clock.js";

const DAY = new Date("2026-11-20T12:00:00Z");

test("an hour is told as the clock here shows it", () => {
  const before = process.env.TZ;
  try {
    for (const [zone, hour, told] of [
      ["UTC", "19:00", "19:00"],
      ["Europe/Berlin", "23:00", "00:00"],
      ["Asia/Kolkata", "19:00", "00:30"],
      ["America/New_York", "03:00", "22:00"],
    ]) {
      process.env.TZ = zone;
      assert.equal(localHour(hour, DAY), told, zone);
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

test("hours come in the order of the day", () => {
  assert.deepEqual(
    inOrder(["22:00", "00:30", "09:00"], (one) => one),
    ["00:30", "09:00", "22:00"],
  );
});
