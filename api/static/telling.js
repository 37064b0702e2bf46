// The signs and notes of an event, and the story as a list with keyboard navigation.

import { byTurn } from "./turns.js";
import { around, h } from "./ui.js";
import { say, sayWith } from "./words.js";

/**
 * Return the signs of an event.
 * @param {StoryLine} line
 * @param {Said[]} notes  its notes
 */
export function signsOf(line, notes = []) {
  /** @type {Sign[]} */
  const signs = [];
  const by = line.superseded_by;
  if (line.is_undone) signs.push({ kind: "undone", text: say("undone"), tone: "", by });
  else if (by) signs.push({ kind: "undone", text: say("corrected"), tone: "", by });
  if (line.verdict === "illegal") {
    const text = line.type === "left_out" ? say("skipped") : say("against the rules");
    signs.push({ kind: "illegal", text, tone: "bad", rule: line.rule, reason: line.reason });
  } else if (line.verdict === "unknowable") {
    signs.push({
      kind: "unknowable",
      text: say("perhaps against the rules"),
      tone: "sand",
      rule: line.rule,
      reason: line.reason,
    });
  }
  if (line.draws_again) signs.push({ kind: "again", text: say("drawn again"), tone: "sand", first: line.draws_again });
  if (line.type in CORRECTIONS) signs.push({ kind: "correction", text: CORRECTIONS[line.type], tone: "accent" });
  for (const note of notes) {
    signs.push({
      kind: note.bookmark ? "bookmark" : "note",
      text: note.mark || (note.bookmark ? say("bookmark") : say("note")),
      tone: "sand",
    });
  }
  return signs;
}

/** @type {Record<string, string>} */
const CORRECTIONS = {
  undo: say("undo"),
  amend: say("correction"),
  reveal: say("revealed"),
  adjust: say("adjusted"),
};

/** @param {number} seq */
function eventLink(seq) {
  return h("a", { href: `#${seq}` }, say("event {event}", { event: seq }));
}

/** Return a sign of an event with its reason. @param {Sign} sign */
export function flag({ text, tone, by, first, rule, reason }) {
  return h(
    "li",
    {},
    h("span", { class: `chip ${tone}` }, text),
    by !== undefined && [" ", ...sayWith("by {event}", { event: eventLink(by) })],
    first !== undefined && [" ", ...sayWith("after {event} was undone", { event: eventLink(first) })],
    rule && h("span", { class: "small" }, ` ${say(rule)}`, reason && `: ${reason}`),
  );
}

/** @param {Said} said */
export function note({ text, mark, bookmark }) {
  return h(
    "blockquote",
    { class: "note" },
    mark && h("span", { class: "mark" }, mark),
    bookmark && h("strong", {}, bookmark),
    text && h("p", {}, text),
  );
}

/**
 * Show the story as a list by turn. One link is in the tab order, and arrow keys move between links.
 * @param {HTMLElement} host
 * @param {string[]} names  of the players, in seat order
 * @param {(seq: number) => void} onChoose
 */
export function storyList(host, names, onChoose) {
  /** @type {Map<number, HTMLElement>} */
  let links = new Map();
  /** @type {HTMLElement | undefined} */
  let current;

  host.addEventListener("click", (event) => {
    const link = around(event, "a[data-seq]");
    if (!link) return;
    event.preventDefault();
    onChoose(Number(link.dataset.seq));
  });
  host.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by || !current) return;
    event.preventDefault();
    const all = [...links.values()];
    const next = all[all.indexOf(current) + by];
    if (!next) return;
    onChoose(Number(next.dataset.seq));
    next.focus();
  });

  return {
    /** @param {StoryLine[]} lines @param {Map<number, Said[]>} notes */
    draw(lines, notes) {
      links = new Map();
      current = undefined;
      const turns = byTurn(lines);
      host.replaceChildren(...turns.flatMap((turn) => [h("h3", {}, title(turn)), events(turn.lines, notes)]));
    },

    /** Mark event `seq` as current, and scroll it into view in the list. @param {number} seq */
    move(seq) {
      if (current) {
        current.removeAttribute("aria-current");
        current.tabIndex = -1;
      }
      current = links.get(seq);
      if (!current) return;
      current.setAttribute("aria-current", "true");
      current.tabIndex = 0;
      const { top, bottom } = current.getBoundingClientRect();
      const box = host.getBoundingClientRect();
      if (top < box.top || bottom > box.bottom) host.scrollTop += top - box.top - box.height / 3;
    },
  };

  /** @param {{turn: number, lines: StoryLine[]}} turn */
  function title({ turn, lines: [{ seat }] }) {
    if (turn === 0) return say("Before the first turn");
    const name = seat ? ` · ${names[Number(seat.slice(1)) - 1]}` : "";
    return `${say("Turn {turn}", { turn })}${name}`;
  }

  /** @param {StoryLine[]} group @param {Map<number, Said[]>} notes */
  function events(group, notes) {
    return h(
      "ol",
      { class: "plain" },
      group.map((line) => h("li", {}, event(line, notes.get(line.seq)))),
    );
  }

  /** @param {StoryLine} line @param {Said[]} [notes] */
  function event(line, notes) {
    const signs = signsOf(line, notes);
    const link = h(
      "a",
      { href: `#${line.seq}`, "data-seq": line.seq, tabindex: -1, class: line.is_undone ? "undone" : null },
      h("span", { class: "seq number" }, String(line.seq)),
      h(
        "span",
        {},
        line.sentence,
        signs.flatMap((sign) => [" ", h("span", { class: `chip ${sign.tone}` }, sign.text)]),
      ),
    );
    links.set(line.seq, link);
    return link;
  }
}
