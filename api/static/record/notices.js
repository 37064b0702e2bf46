// What is said above the last line: no network, and taps that were not recorded.

import { h } from "../ui.js";

/** Why a tap was refused, in words. */
export function reasonOf(problem) {
  switch (problem.slug) {
    case "version-conflict":
      return "Somebody was quicker. Is it still what happened?";
    case "game-over":
      return "The game has ended.";
    case "illegal-action":
      return problem.rule ? `${problem.message} (${problem.rule})` : problem.message;
    case "impossible-outcome":
      return "That cannot have come up. Look at the table again.";
    case "outcome-required":
      return "What came up is still missing.";
    default:
      return problem.detail || problem.title || "It was refused.";
  }
}

/** That there is no network, and what that means; null where there is. */
export function offlineNotice(outbox) {
  if (!outbox.isOffline) return null;
  const count = outbox.waiting;
  const kept = outbox.isKept ? "" : " This browser keeps nothing: leave this page open.";
  const what = count === 1 ? "1 tap waits" : `${count} taps wait`;
  return h(
    "div",
    { class: "notice sand" },
    h("strong", {}, navigator.onLine ? "The service does not answer. " : "Offline. "),
    count
      ? `${what} here, to be sent when the service can be reached.${kept}`
      : "Go on: taps wait here until the service can be reached, which then judges them.",
  );
}

/**
 * The tap that was not recorded, why, and what others did meanwhile.
 * @param {import("./outbox.js").Outbox} outbox
 * @param {object[]} meanwhile  lines of the story
 * @param {{onRepeat: Function, onDrop: Function, onDropAll: Function, onChoose: Function, onInstead: Function, onReveal: Function}} listeners
 */
export function refusedNotice(outbox, meanwhile, { onRepeat, onDrop, onDropAll, onChoose, onInstead, onReveal }) {
  const tap = outbox.refused;
  if (!tap) return null;
  const button = (label, onclick, kind = "") => h("button", { type: "button", class: `button ${kind}`, onclick }, label);
  const isAsking = tap.problem.chance && tap.problem.chance.outcomes.length > 0;
  const behind = outbox.waiting;
  return h(
    "div",
    { class: "notice bad stack" },
    h("div", {}, h("strong", {}, `Not recorded: ${tap.label}. `), reasonOf(tap.problem)),
    meanwhile.length > 0 &&
      h("div", {}, "Meanwhile: ", h("ul", { class: "meanwhile" }, meanwhile.map((line) => h("li", {}, line.sentence)))),
    tap.problem.instead && h("p", {}, tap.problem.instead.message),
    behind > 0 && h("p", {}, behind === 1 ? "Another tap waits behind it." : `${behind} more taps wait behind it.`),
    h(
      "div",
      { class: "row" },
      tap.problem.instead && button("Put the table right", onInstead, "primary"),
      tap.problem.look && button("Say what nobody saw", onReveal, "primary"),
      isAsking && button("Say what came up", onChoose, "primary"),
      !tap.problem.instead && !isAsking && button("Record it now", onRepeat, "primary"),
      button("Drop it", onDrop),
      behind > 0 && button("Drop all", onDropAll, "danger"),
    ),
  );
}
