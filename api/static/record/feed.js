// What happened, newest first; each event can be opened.

import { h } from "../ui.js";

const PAGE = 30;

export class Feed {
  /** @param {HTMLElement} host  an `ol` @param {HTMLElement} more  the button for earlier events */
  constructor(host, more, { onOpen }) {
    this.host = host;
    this.more = more;
    this.onOpen = onOpen;
    this.shown = PAGE;
    more.addEventListener("click", () => {
      this.shown += PAGE;
      this.render(this.story, this.waiting);
    });
  }

  /** @param {object[]} story  its lines @param {object[]} waiting  the taps that are on their way */
  render(story, waiting) {
    this.story = story;
    this.waiting = waiting;
    const about = new Map();
    for (const line of story) {
      if (line.type === "annotate" && !line.is_undone) about.set(line.about, [...(about.get(line.about) || []), line]);
    }
    const lines = story.slice(-this.shown).reverse();
    this.host.replaceChildren(
      ...[...waiting].reverse().map((tap) =>
        h("li", { class: "event is-waiting" }, h("p", {}, tap.label, " ", h("span", { class: "chip sand" }, tap.problem ? "not recorded" : "waiting"))),
      ),
      ...lines.map((line) => this.line(line, about.get(line.seq) || [])),
    );
    this.more.hidden = story.length <= this.shown;
  }

  line(line, notes) {
    const marks = notes.filter((note) => note.mark).map((note) => h("span", { class: "chip accent mark" }, note.mark));
    const names = notes.filter((note) => note.bookmark).map((note) => h("span", { class: "chip accent" }, `⚑ ${note.bookmark}`));
    const stands = !line.is_undone && !line.superseded_by;
    return h(
      "li",
      { class: `event${stands ? "" : " is-undone"}`, "data-seq": String(line.seq) },
      h(
        "p",
        {},
        stands ? line.sentence : h("s", {}, line.sentence),
        !stands && [" ", h("span", { class: "chip" }, line.is_undone ? "taken back" : `corrected by event ${line.superseded_by}`)],
        verdict(line),
        marks.length + names.length > 0 && [" ", ...marks, ...names],
        line.note && h("span", { class: "note" }, line.note),
      ),
      h(
        "button",
        { type: "button", class: "button quiet square", "aria-label": `Event ${line.seq}: ${line.sentence}`, onclick: () => this.onOpen(line) },
        "⋯",
      ),
    );
  }
}

function verdict(line) {
  if (line.verdict === "illegal") return [" ", h("span", { class: "chip bad", title: line.reason }, "against the rules")];
  if (line.verdict === "unknowable") return [" ", h("span", { class: "chip sand" }, "cannot be judged")];
  return null;
}
