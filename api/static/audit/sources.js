// The sources of a record's events: a band of ranges, and a row for each source.

import { api } from "../api.js";
import { h, isShown } from "../ui.js";
import { counted, language, say } from "../words.js";
import { sign } from "./signs.js";

/** Fetch a proof, and the head that it signs. @param {string} url  of the game in the API @returns {Promise<Signed>} */
export async function fetchProof(url) {
  const envelope = await api(`${url}/proof`);
  const bytes = Uint8Array.from(atob(envelope.payload), (one) => one.charCodeAt(0));
  return { key: envelope.signatures[0].keyid, head: JSON.parse(new TextDecoder().decode(bytes)) };
}

/** @param {Signed} proof @param {boolean} isObserved */
export function sources({ key, head }, isObserved) {
  const ranges = /** @type {EventRange[]} */ (head.provenance ?? [{ from: 1, to: head.version, kind: "recorded" }]);
  const count = (/** @type {string} */ kind) =>
    ranges.filter((one) => one.kind === kind).reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const imported = ranges.find((one) => one.kind === "imported");
  const events = (/** @type {number} */ number) => counted(number, "event");
  const told = [
    count("recorded") > 0 && say("{events} recorded here", { events: events(count("recorded")) }),
    count("imported") > 0 && say("{events} imported", { events: events(count("imported")) }),
    count("adjusted") > 0 && say("changes by hand: {events}", { events: events(count("adjusted")) }),
  ];
  return h(
    "section",
    { class: "box" },
    h("h2", {}, say("Where this record comes from")),
    h(
      "div",
      { class: "band", role: "img", "aria-label": told.filter(isShown).join(", ") },
      ranges.map(({ from, to, kind }) => bar(kind, (to - from + 1) / head.version)),
    ),
    h(
      "ul",
      { class: "plain rows" },
      told[0] && row("phone", told[0], say("Signed by this service.")),
      told[1] &&
        row("intray", told[1], say("This service did not see the game, so it cannot tell when the log was written.")),
      imported &&
        (imported.key
          ? row(
              "key",
              say("Signed by another Driftlog service, key {key}", { key: short(imported.key) }),
              say("The signature matches the log."),
            )
          : row(
              "key",
              say("The file was not signed"),
              say("Without a signature, anyone could have written the file."),
            )),
      told[2] && row("palm", told[2], say("The audit shows what changed.")),
      isObserved
        ? row("card", say("Real cards"), say("The service did not know the order of the decks."))
        : row(
            "die",
            say("Cards and dice drawn by Driftlog"),
            say("The draws match the seed, so nobody chose the results."),
          ),
      row("key", say("Signed by this service, key {key}", { key: short(key) }), moment(head.signed_at)),
    ),
  );
}

/** @param {string} kind @param {number} share */
function bar(kind, share) {
  const element = h("i", { class: kind });
  // Even a single event must stay visible.
  element.style.flexGrow = String(Math.max(1, Math.round(share * 200)));
  return element;
}

/** @param {string} symbol @param {string} text @param {string} more */
function row(symbol, text, more) {
  return h("li", {}, sign(symbol), h("span", {}, text, h("small", {}, more)));
}

/** Return the first characters of a key's id, for people to compare. @param {string} key */
function short(key) {
  return `${key.slice(0, 4)} ${key.slice(4, 8)}`;
}

/** @param {string} text  RFC 3339 */
export function moment(text) {
  return new Date(text).toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
}
