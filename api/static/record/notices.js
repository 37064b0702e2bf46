// The notices above the bar: offline, and taps that were not recorded.

import { reason } from "../api.js";
import { h } from "../ui.js";
import { language, say } from "../words.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */

/** The reason for a rejected tap, in words. @param {Refusal} problem */
export function reasonOf(problem) {
  switch (problem.slug) {
    case "version-conflict":
      return say("Someone else recorded first. Still record your action?");
    case "game-over":
      return say("The game has ended.");
    case "illegal-action":
      return problem.rule ? `${problem.message} (${say(problem.rule)})` : problem.message;
    case "impossible-outcome":
      return say("This result is impossible. Check the table.");
    case "outcome-required":
      return say("The result is still missing.");
    default:
      return reason(problem) || say("The service rejected it.");
  }
}

/** The notice that the shown table is old; null if it is current. @param {number} at  in ms */
export function lastSeenNotice(at) {
  if (!at) return null;
  const time = new Date(at).toLocaleString(language === "en" ? [] : language, {
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  return h(
    "div",
    { class: "notice sand brief" },
    h("strong", {}, `${say("Last seen {time}.", { time })} `),
    say("The service does not answer."),
  );
}

/**
 * The notice that the service is unreachable; null if it answers.
 * @param {Outbox} outbox
 * @param {string | null} stuck  the reason why the page cannot continue without the service
 * @param {() => void} onDiscard  discard the tap that is the reason
 */
export function offlineNotice(outbox, stuck, onDiscard) {
  if (!outbox.isOffline) return null;
  const count = outbox.waiting;
  const kept = outbox.isKept ? "" : ` ${say("This browser cannot store your taps. Keep this page open.")}`;
  const what =
    count === 1 ? say("1 tap is waiting to be sent.") : say("{count} taps are waiting to be sent.", { count });
  return h(
    "div",
    { class: "notice sand brief" },
    h("strong", {}, `${navigator.onLine ? say("The service does not answer.") : say("Offline.")} `),
    count
      ? `${what}${kept}${stuck ? ` ${stuck}` : ""}`
      : say("Keep playing: your taps wait here until the service is reachable."),
    stuck && h("button", { type: "button", class: "button", onclick: onDiscard }, say("Discard it")),
  );
}

/**
 * The notice about a rejected tap: the reason, and what others recorded meanwhile.
 * @param {Outbox} outbox
 * @param {StoryLine[]} meanwhile
 * @param {Record<"onRepeat" | "onDrop" | "onDropAll" | "onChoose" | "onInstead" | "onReveal", () => void>} listeners
 */
export function refusedNotice(outbox, meanwhile, listeners) {
  const { onRepeat, onDrop, onDropAll, onChoose, onInstead, onReveal } = listeners;
  const tap = outbox.refusedTap;
  if (!tap) return null;
  /** @param {string} label @param {() => void} onclick @param {string} [kind] */
  const button = (label, onclick, kind = "") =>
    h("button", { type: "button", class: `button ${kind}`, onclick }, label);
  const isAsking = (tap.problem.chance?.outcomes.length ?? 0) > 0;
  const behind = outbox.waiting;
  const isDecided = tap.problem.instead?.event || isAsking;
  return h(
    "div",
    { class: "notice bad stack" },
    h("div", {}, h("strong", {}, `${say("Not recorded: {what}.", { what: tap.label })} `), reasonOf(tap.problem)),
    meanwhile.length > 0 &&
      h(
        "div",
        {},
        `${say("Recorded in the meantime:")} `,
        h(
          "ul",
          { class: "meanwhile" },
          meanwhile.map((line) => h("li", {}, line.sentence)),
        ),
      ),
    tap.problem.instead?.message && h("p", {}, tap.problem.instead.message),
    behind > 0 &&
      h(
        "p",
        {},
        behind === 1 ? say("Another tap is waiting.") : say("{count} more taps are waiting.", { count: behind }),
      ),
    h(
      "div",
      { class: "row" },
      tap.problem.instead?.event && button(say("Adjust the table"), onInstead, "primary"),
      tap.problem.look && button(say("Fill in an unknown card"), onReveal, "primary"),
      isAsking && button(say("Enter the result"), onChoose, "primary"),
      !isDecided && button(say("Record now"), onRepeat, "primary"),
      button(say("Discard it"), onDrop),
      behind > 0 && button(say("Discard all"), onDropAll, "danger"),
    ),
  );
}
