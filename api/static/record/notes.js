// What is said about a game besides its events: notes, marks, bookmarks; and that it is broken off.

import { h } from "../ui.js";
import { field, formSheet } from "./sheets.js";

const MARKS = [
  ["", "none"],
  ["!!", "brilliant"],
  ["!", "good"],
  ["!?", "interesting"],
  ["?!", "doubtful"],
  ["?", "a mistake"],
  ["??", "a blunder"],
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
    "A note",
    [
      h("p", { class: "quote" }, line.sentence),
      field("Note", text),
      field("Mark", mark),
      field("Bookmark", bookmark, "A name to find this event by."),
    ],
    {
      submit: "Keep it",
      onSubmit: () => {
        const said = { text: text.value.trim(), mark: mark.value, bookmark: bookmark.value.trim() };
        const params = Object.fromEntries(Object.entries(said).filter(([, value]) => value));
        if (Object.keys(params).length === 0) throw new Error("A note, a mark or a bookmark, please.");
        record({ type: "annotate", actor: null, params: { seq: line.seq, ...params } }, "A note");
      },
    },
  );
}

/** The game is broken off. @param {Recorder} record */
export function abandonSheet(record) {
  const reason = h("input", { type: "text", maxlength: "2000", value: "It has become late." });
  formSheet("Stop the game", [h("p", {}, "The game stays unfinished. Undo takes this back."), field("Why", reason)], {
    submit: "Stop the game",
    danger: true,
    onSubmit: () => {
      if (!reason.value.trim()) throw new Error("Why, please.");
      record({ type: "abandon", actor: null, params: { reason: reason.value.trim() } }, "Stop the game");
    },
  });
}
