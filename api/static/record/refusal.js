// The decisions about a rejected tap.

import { sentence } from "../words.js";
import { adjustSheet } from "./adjust.js";
import { revealSheet, unseen } from "./unseen.js";

/**
 * @param {import("./table.js").Table} table
 * @param {import("./outbox.js").Outbox} outbox
 * @param {{record: Recorder, onChoose: () => void}} page
 */
export function answersTo(table, outbox, { record, onChoose }) {
  const drop = () => outbox.drop(table.version);
  /** Enter its effect by hand. */
  const onInstead = async () => {
    const tap = outbox.refusedTap;
    if (!tap) return;
    drop();
    await table.readRules();
    adjustSheet(table, record, { why: `${sentence(tap.label)} ${tap.problem.instead?.event.params.reason ?? ""}` });
  };
  /** It depends on an unknown result: reveal that first, then send the tap again. */
  const onReveal = async () => {
    const named = outbox.refusedTap?.problem.unknowns?.map((one) => one.seq) ?? [];
    const every = await unseen(table);
    const points = every.filter((point) => named.includes(point.seq));
    drop();
    revealSheet(table, points.length > 0 ? points : every, record);
  };
  return {
    onRepeat: () => outbox.repeat(table.version),
    onDrop: drop,
    onDropAll: () => outbox.drop(table.version, { all: true }),
    onChoose,
    onInstead,
    onReveal,
  };
}

/**
 * If others only added notes meanwhile, send the rejected tap again at once.
 * @param {import("./table.js").Table} table
 * @param {import("./outbox.js").Outbox} outbox
 */
export function pastNotes({ story, version }, outbox) {
  const tap = outbox.refusedTap;
  if (tap?.problem.slug !== "version-conflict") return;
  const meanwhile = story.slice(tap.base ?? 0);
  if (meanwhile.length > 0 && meanwhile.every((line) => line.type === "annotate")) outbox.repeat(version);
}
