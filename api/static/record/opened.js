// The actions for an opened event, and for the game as a whole.

import { $, h, messageOf, toast } from "../ui.js";
import { say } from "../words.js";
import { adjustSheet } from "./adjust.js";
import { amendSheet } from "./amend.js";
import { correctSheet } from "./correct.js";
import { actionFields } from "./freely.js";
import { inviteSheet } from "./invite.js";
import { legend } from "./legend.js";
import { abandonSheet, noteSheet } from "./notes.js";
import { formSheet, menu, menuButtons } from "./sheets.js";
import { revealSheet, unseen } from "./unseen.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./sheets.js").Item} Item */

/** Event types that cannot be corrected. */
const FIXED = new Set(["game_opened", "set_up", "game_closed", "undo", "amend", "reveal", "annotate"]);

/**
 * Open an event: its result can be corrected at once, and everything else is behind a button.
 * @param {Table} table
 * @param {StoryLine} line
 * @param {Recorder} record
 */
export async function openEvent(table, line, record) {
  const points = (await unseen(table)).filter((point) => point.seq === line.seq);
  const isAction = !FIXED.has(line.type) && !line.is_undone && !line.superseded_by;
  const isLast = line.seq === table.version;
  const back = () =>
    record({ type: "undo", actor: null, params: { to: line.seq } }, say("Back to: {what}", { what: line.sentence }));
  /** @type {(Item | false)[]} */
  const items = [
    [say("Note, mark or bookmark"), () => noteSheet(line, record)],
    points.length > 0 && [say("Fill in an unknown card"), () => revealSheet(table, points, record)],
    isAction && [say("Change it"), () => amendSheet(table, line, "event", record)],
    isAction && [say("Insert an action before this"), () => amendSheet(table, line, "insert", record)],
    isAction && [say("Remove"), () => amendSheet(table, line, "remove", record)],
    line.seq >= 2 && !isLast && [say("Undo everything after this"), back, "danger"],
  ];
  const kind = table.ruleset.actions.find((one) => one.type === line.type);
  if (isAction && kind?.asks_chance && table.isObserved && points.length === 0) {
    try {
      await correctSheet(table, line, record, more(items));
      return;
    } catch (error) {
      toast(messageOf(error));
    }
  }
  const opened = menu(say("Event {event}", { event: line.seq }), items);
  opened.body.prepend(h("p", { class: "quote" }, line.sentence));
}

/** @param {(Item | false)[]} items */
function more(items) {
  const fold = h("details", { class: "fold" }, h("summary", { class: "button block" }, say("Change more")));
  fold.append(menuButtons(items, () => /** @type {HTMLDialogElement | null} */ (fold.closest("dialog"))?.close()));
  return fold;
}

/**
 * Open the menu of the game as a whole.
 * @param {Table} table
 * @param {Recorder} record
 * @param {{isOffline: boolean, about: DOMStringMap}} now  `about`: the page's data about the user
 */
export async function openMore(table, record, { isOffline, about }) {
  const points = await unseen(table);
  const last = table.story.findLast((line) => !line.is_undone) ?? table.story[0];
  const isOver = Boolean(table.game.outcome);
  const isPlain = isOffline && table.game.mode !== "as_played";
  const opened = menu(say("More"), [
    [say("Note, mark or bookmark"), () => noteSheet(last, record)],
    points.length > 0 && [say("Fill in an unknown card"), () => revealSheet(table, points, record)],
    !isOver && [isPlain ? say("Another action") : say("It happened anyway"), () => anyAction(table, record, isPlain)],
    !isOver && [say("Adjust the table"), () => adjustSheet(table, record)],
    [say("Legend"), () => legend(table, $("board"))],
    Boolean(about.role) && [say("Invite"), () => inviteSheet(table.game, about)],
    !isOver && [say("Abandon game"), () => abandonSheet(record), "danger"],
  ]);
  opened.body.append(
    h(
      "div",
      { class: "buttons" },
      [...$("elsewhere").children].map((link) => link.cloneNode(true)),
    ),
  );
}

/**
 * @param {Table} table
 * @param {Recorder} record
 * @param {boolean} isPlain  true if the action is expected to be legal
 */
function anyAction(table, record, isPlain) {
  const fields = actionFields(table);
  formSheet(isPlain ? say("Another action") : say("It happened anyway"), fields.elements, {
    submit: say("Record it"),
    onSubmit: () => {
      const { label, ...body } = fields.read();
      record(body, label, { isAnyway: !isPlain });
    },
  });
}
