// Notes, marks and bookmarks, and abandoning the game.

import { h } from "../ui.js";
import { say } from "../words.js";
import { field, formSheet } from "./sheets.js";

const MARKS = [
  ["", say("none")],
  ["!!", say("brilliant")],
  ["!", say("good")],
  ["!?", say("interesting")],
  ["?!", say("doubtful")],
  ["?", say("a mistake")],
  ["??", say("a blunder")],
];

/** A note about an event. @param {StoryLine} line @param {Recorder} record */
export function noteSheet(line, record) {
  const text = h("textarea", { maxlength: "2000" });
  const bookmark = h("input", { type: "text", maxlength: "80" });
  const mark = h(
    "select",
    {},
    MARKS.map(([value, name]) => h("option", { value }, value ? `${value}  ${name}` : name)),
  );
  formSheet(
    say("A note"),
    [
      h("p", { class: "quote" }, line.sentence),
      field(say("Note"), text),
      field(say("Mark"), mark),
      field(say("Bookmark"), bookmark, say("A name to find this event later.")),
    ],
    {
      submit: say("Save"),
      onSubmit: () => {
        const said = { text: text.value.trim(), mark: mark.value, bookmark: bookmark.value.trim() };
        const params = Object.fromEntries(Object.entries(said).filter(([, value]) => value));
        if (Object.keys(params).length === 0) throw new Error(say("Enter a note, a mark or a bookmark."));
        record({ type: "annotate", actor: null, params: { seq: line.seq, ...params } }, say("A note"));
      },
    },
  );
}

/** Abandon the game. @param {Recorder} record */
export function abandonSheet(record) {
  const reason = h("input", { type: "text", maxlength: "2000", value: say("It got late") });
  formSheet(
    say("Abandon game"),
    [h("p", {}, say("The game stays unfinished. You can undo this.")), field(say("Why"), reason)],
    {
      submit: say("Abandon game"),
      danger: true,
      onSubmit: () => {
        if (!reason.value.trim()) throw new Error(say("Enter a reason."));
        record({ type: "abandon", actor: null, params: { reason: reason.value.trim() } }, say("Abandon game"));
      },
    },
  );
}
