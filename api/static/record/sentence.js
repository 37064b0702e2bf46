// The one sentence at the top: the question, or what the players may do now.

import { say } from "../words.js";
import { groupActions, only } from "./actions.js";

/** The current question as a sentence. @param {import("./panel.js").Panel} panel @returns {Sentence} */
export function sentenceOf(panel) {
  const { openQuestion: asked, taken, table } = panel;
  const { now, ruleset, game } = table;
  if (game.outcome) return { text: "" };
  if (asked) return { text: (asked.isOnly && now.ask) || panel.asksFor(asked) };
  if (taken)
    return { text: say("{what}: tap a highlighted tile, or choose below.", { what: table.titleOf(taken.type) }) };
  const { awaited } = groupActions(now, ruleset.sections);
  const kinds = only(awaited, (kind) => !panel.isAnyTime(kind)).flatMap((group) => [...group.kinds.values()]);
  if (!kinds.length) {
    const names = table.names(now.awaiting);
    return { text: names ? say("Waiting for {names}.", { names }) : say("Nothing to do right now.") };
  }
  return { text: now.ask || say("Tap a highlighted place, or choose below."), isForced: isForced(panel, kinds) };
}

/** Return true if the only kind of action interrupts a turn. @param {import("./panel.js").Panel} panel @param {Kind[]} kinds */
function isForced(panel, kinds) {
  const [kind] = kinds;
  if (kinds.length > 1 || kind.range) return false;
  const { now, story } = panel.table;
  const turn = story.filter((line) => line.turn === now.turn && !line.is_undone);
  // The first action of a turn is not forced: each player chooses in turn.
  if (turn.length === 0 || turn[0].type === kind.type) return false;
  const seat = turn.at(-1)?.seat;
  const isOther = Boolean(seat) && kind.entries.every(({ actor }) => actor !== seat);
  const isPlacing = now.turn > 0 && panel.isPlaced(kind) && !kind.entries.some(({ chance }) => chance?.length);
  return isOther || isPlacing;
}
