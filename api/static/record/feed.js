// The list of events, newest first; each event can be opened.

import { byTurn, isTakenBack } from "../turns.js";
import { h, renew } from "../ui.js";
import { say } from "../words.js";

const PAGE = 30;

export class Feed {
  /**
   * @param {HTMLElement} host  an `ol`
   * @param {HTMLElement} more  the button for earlier events
   * @param {{onOpen: (line: StoryLine) => void}} listeners
   */
  constructor(host, more, { onOpen }) {
    this.host = host;
    this.more = more;
    this.onOpen = onOpen;
    this.shown = PAGE;
    /** @type {StoryLine[]} */
    this.story = [];
    /** @type {Tap[]} */
    this.waiting = [];
    /** The colour of each seat. @type {Map<string, string>} */
    this.colours = new Map();
    more.addEventListener("click", () => {
      this.shown += PAGE;
      this.render(this.story, this.waiting);
    });
  }

  /**
   * @param {StoryLine[]} story
   * @param {Tap[]} waiting  the queued taps
   */
  render(story, waiting) {
    this.story = story;
    this.waiting = waiting;
    const about = new Map();
    for (const line of story) {
      if (line.type === "annotate" && !line.is_undone) about.set(line.about, [...(about.get(line.about) || []), line]);
    }
    const lines = story.slice(-this.shown);
    renew(this.host, [
      ...[...waiting]
        .reverse()
        .map((tap) =>
          h(
            "li",
            { class: "event is-waiting" },
            h(
              "p",
              {},
              tap.label,
              " ",
              h("span", { class: "chip sand" }, tap.problem ? say("not recorded") : say("waiting")),
            ),
          ),
        ),
      ...newestFirst(lines).flatMap(({ heading, runs }) => [
        h("li", { class: "turn" }, h("h3", {}, heading)),
        ...runs.map((run) => this.run(run, about)),
      ]),
    ]);
    this.more.hidden = story.length <= this.shown;
  }

  /** A line, or a run of undone lines as one. @param {StoryLine[]} run @param {Map<unknown, StoryLine[]>} about */
  run(run, about) {
    const lines = run.map((line) => this.line(line, about.get(line.seq) || []));
    if (lines.length === 1) return lines[0];
    return h(
      "li",
      { class: "taken-back" },
      h(
        "details",
        {},
        h(
          "summary",
          { class: "button quiet" },
          say("{count} undone", { count: run.filter((line) => line.is_undone).length }),
        ),
        h("ol", { class: "plain" }, lines),
      ),
    );
  }

  /** @param {StoryLine} line @param {StoryLine[]} notes */
  line(line, notes) {
    const marks = notes.filter((note) => note.mark).map((note) => h("span", { class: "chip accent mark" }, note.mark));
    const names = notes
      .filter((note) => note.bookmark)
      .map((note) => h("span", { class: "chip accent" }, `⚑ ${note.bookmark}`));
    const stands = !line.is_undone && !line.superseded_by;
    return h(
      "li",
      {
        class: `event by-${this.colours.get(String(line.seat)) ?? "nobody"}${stands ? "" : " is-undone"}`,
        "data-seq": String(line.seq),
      },
      h(
        "p",
        {},
        stands ? line.sentence : h("s", {}, line.sentence),
        !stands && [
          " ",
          h(
            "span",
            { class: "chip" },
            line.is_undone ? say("undone") : say("corrected by event {event}", { event: line.superseded_by }),
          ),
        ],
        verdict(line),
        line.draws_again !== undefined && [" ", h("span", { class: "chip sand" }, say("drawn again"))],
        marks.length + names.length > 0 && [" ", ...marks, ...names],
        line.note && h("span", { class: "note" }, line.note),
      ),
      h(
        "button",
        {
          type: "button",
          class: "button quiet square",
          "aria-label": say("Event {event}: {sentence}", { event: line.seq, sentence: line.sentence }),
          // The line may have changed since it was drawn.
          onclick: () => this.onOpen(this.story[line.seq - 1]),
        },
        "⋯",
      ),
    );
  }
}

/**
 * The lines by turn, and in each turn the runs of undone lines, newest first.
 * @param {StoryLine[]} lines  in order
 */
export function newestFirst(lines) {
  return byTurn(lines)
    .reverse()
    .map((turn) => {
      /** @type {StoryLine[][]} */
      const runs = [];
      for (const line of turn.lines.reverse()) {
        const run = runs.at(-1);
        if (run && isTakenBack(line) && isTakenBack(run[0])) run.push(line);
        else runs.push([line]);
      }
      const heading = turn.turn ? say("Turn {turn}", { turn: turn.turn }) : say("Before the first turn");
      return { heading, runs };
    });
}

/** @param {StoryLine} line */
function verdict(line) {
  if (line.verdict === "illegal")
    return [
      " ",
      h(
        "span",
        { class: "chip bad", title: line.reason },
        line.type === "left_out" ? say(line.rule ?? "") : say("against the rules"),
      ),
    ];
  if (line.verdict === "unknowable") return [" ", h("span", { class: "chip sand" }, say("cannot be judged"))];
  return null;
}
