// Two games side by side: their common beginning, then the events and tables of both.

import { api } from "./api.js";
import { boards } from "./boards.js";
import { $, $$, h, putSvg } from "./ui.js";
import { say } from "./words.js";

const AHEAD = 4; // pictures to prefetch

const root = $("compare");
const { api: url, other, games } = /** @type {Record<string, string>} */ (root.dataset);
const slider = $("steps", HTMLInputElement);

/**
 * List the events of one of the two games after they differ. Return a function that shows a step of that game.
 * @param {string} name
 * @param {ComparedGame} line
 * @param {number} from
 */
function side(name, line, from) {
  const host = $(name);
  const [board] = $$(".board", host);
  const [list] = $$("ol", host);
  const [sentence] = $$(".sentence", host);
  const pictures = boards(`${url.slice(0, url.lastIndexOf("/"))}/${line.id}/board.svg`, { layout: "board" });
  const seqs = [from, ...line.events.map((event) => event.seq)].filter((seq) => seq > 0);
  let shown = 0;

  list.replaceChildren(
    ...line.events.map((event) =>
      h(
        "li",
        { "data-seq": event.seq },
        h(
          "a",
          { href: `${games}${line.id}#${event.seq}` },
          h("span", { class: "seq number" }, String(event.seq)),
          event.sentence,
        ),
      ),
    ),
  );
  if (line.has_more) {
    const last = line.events[line.events.length - 1].seq;
    list.append(
      h("li", { class: "soft" }, h("a", { href: `${games}${line.id}#${last}` }, say("Continue in the replay."))),
    );
  }
  if (line.events.length === 0) list.replaceChildren(h("li", { class: "soft" }, say("Nothing else was recorded.")));

  /** @param {number} step */
  return async function show(step) {
    const index = Math.min(step, seqs.length - 1);
    const seq = seqs[index];
    shown = seq;
    const event = line.events.find((one) => one.seq === seq);
    sentence.textContent = event ? event.sentence : say("The games differ from here.");
    const items = $$("li", list);
    for (const item of items) item.toggleAttribute("data-current", item.dataset.seq === String(seq));
    const current = items.find((item) => "current" in item.dataset);
    list.scrollTop = current ? current.offsetTop - list.offsetTop - list.clientHeight / 3 : 0;
    try {
      const text = await pictures.get(seq, index > 0 ? seqs[index - 1] : undefined);
      if (shown === seq) putSvg(board, text);
    } catch {
      board.replaceChildren(h("p", { class: "empty soft" }, say("There is no picture of this moment.")));
    }
    pictures.ahead(seqs.slice(index + 1, index + 1 + AHEAD).map((next, n) => [next, seqs[index + n]]));
  };
}

/** @param {number} at @param {number} count */
async function tellCommon(at, count) {
  const title =
    count === 0 ? say("No events in common") : say("The first {count} events are the same in both", { count });
  $("common-title").textContent = title;
  $("common").addEventListener(
    "toggle",
    async () => {
      /** @type {Story} */
      const { story } = await api(`${url}/story`, { query: { until: at, limit: 1000 } });
      const lines = story.filter((line) => !line.is_undone);
      $("common-events").replaceChildren(
        ...lines.map((line) =>
          h(
            "li",
            {},
            h("a", { href: `${games}${url.slice(url.lastIndexOf("/") + 1)}#${line.seq}` }, String(line.seq)),
            " ",
            line.sentence,
          ),
        ),
      );
    },
    { once: true },
  );
}

async function start() {
  const found = await api(`${url}/compare/${other}`);
  tellCommon(found.common.at, found.common.events);
  const sides = [side("game", found.game, found.common.at), side("other", found.other, found.common.other_at)];
  const longest = Math.max(found.game.events.length, found.other.events.length);
  slider.max = String(longest);
  /** @param {number} step */
  const go = (step) => {
    const at = Math.min(Math.max(step, 0), longest);
    slider.value = String(at);
    slider.setAttribute(
      "aria-valuetext",
      at === 0 ? say("where they differ") : say("{count} events later", { count: at }),
    );
    for (const show of sides) show(at);
  };
  slider.addEventListener("input", () => go(Number(slider.value)));
  for (const button of $$("[data-step]", root)) {
    button.addEventListener("click", () => go(Number(slider.value) + Number(button.dataset.step)));
  }
  go(Math.min(1, longest));
  root.dataset.ready = "";
}

start().catch((error) => {
  $("common-title").textContent = error.message;
  throw error;
});
