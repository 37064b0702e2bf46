// The win chance in the replay: its band, the marks of the costliest events, and the button that orders the analysis.

import { api } from "./api.js";
import { curve, paths } from "./curve.js";
import { $, $$, h, messageOf, toast } from "./ui.js";
import { say, together } from "./words.js";

const PAUSE = 1000; // ms between polls
const RARELY = 0.05; // a smaller chance is not stated exactly while the game continues

/** Return a chance in words, as `engine.players.value.Value.words`. @param {Chance} value */
export function chance(value) {
  if (value.n && value.p < RARELY) return say("under 5 %");
  if (value.n && value.p > 1 - RARELY) return say("over 95 %");
  return say("{percent} %", { percent: Math.round(100 * value.p) });
}

/**
 * @param {string} url  of the game
 * @param {string[]} names  of the players
 * @param {(seq: number) => void} onChoose
 * @param {() => void} onChange  the analysis has changed: draw again
 */
export function swings(url, names, onChoose, onChange) {
  /** @type {Analysis | null} */
  let found = null;
  let isRunning = false;
  let side = 0; // the index of the side whose chance is shown
  /** The arguments of the last `draw`. @type {[number[], number]} */
  let drawn = [[], 0];

  /** The index of the side that did best in the end. */
  function best() {
    const last = found?.points.at(-1)?.sides.map(({ p }) => p) ?? [];
    return Math.max(0, last.indexOf(Math.max(...last)));
  }

  /** @param {Analysis} analysis */
  function title({ sides }) {
    if (sides.length < 2) return say("Win chance");
    return say("Win chance: {side}", { side: together(sides[side].map((seat) => names[Number(seat.slice(1)) - 1])) });
  }

  /** @param {Analysis | null} analysis */
  function take(analysis) {
    found = analysis?.points.length ? analysis : null;
    isRunning = analysis?.status === "queued" || analysis?.status === "running";
    const isDue = !found || found.stale_from !== null;
    $("analyse").hidden = isRunning || !isDue;
    $("analyse").textContent = found ? say("Analyse again") : say("Analyse");
    $("analysing", HTMLProgressElement).hidden = !isRunning;
    $("analysing", HTMLProgressElement).value = analysis?.progress ?? 0;
    drawSkills(url, names, found?.skills ?? []);
    onChange();
  }

  async function follow() {
    while (isRunning) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      const analysis = await api(`${url}/analyses/latest`);
      take(analysis);
      if (analysis.status === "failed") throw new Error(analysis.error);
    }
  }

  /**
   * Load the latest analysis, or offer one. The replay works without it.
   * @param {string} [state]  of the analysis: "ordered", "possible", or undefined if the game cannot be analysed
   */
  async function load(state) {
    if (state === "possible") take(null);
    if (state !== "ordered") return;
    take(await api(`${url}/analyses/latest`).catch(() => null));
    follow().catch(complain);
  }

  async function order() {
    take(await api(`${url}/analyses`, { method: "POST" }));
    await follow();
  }

  /** @param {unknown} error */
  function complain(error) {
    isRunning = false;
    take(found);
    toast(messageOf(error), { kind: "bad" });
  }

  $("analyse").addEventListener("click", () => order().catch(complain));

  /** @param {number[]} steps @param {number} last @param {"low" | "p" | "high"} which */
  function points(steps, last, which) {
    const known = (found?.points ?? []).map(({ seq, sides }) => ({ seq, level: sides[side][which] }));
    return curve(steps, known, last);
  }

  return {
    load,

    /** Return the mark of event `seq`. @param {number} seq */
    mark: (seq) => found?.marks.find((mark) => mark.seq === seq),

    /**
     * Draw the band and the marks; return false if there is no analysis.
     * @param {number[]} steps  the events of the replay
     * @param {number} last  the last event that may be shown
     */
    draw(steps, last) {
      drawn = [steps, last];
      const line = points(steps, last, "p");
      $("course").classList.toggle("chance", found !== null);
      $("swings").hidden = !found;
      if (!found) {
        $("costs").replaceChildren();
        return false;
      }
      const band = [...points(steps, last, "high"), ...points(steps, last, "low").reverse()];
      $("course").toggleAttribute("hidden", line.length < 2);
      $$(".line", $("course"))[0].setAttribute("d", paths(line).line);
      $$(".under", $("course"))[0].setAttribute("d", `${paths(band).line}z`);
      const end = Math.max(1, steps.length - 1);
      $("costs").replaceChildren(
        ...found.marks.map(({ seq, turn }) => {
          const x = (100 * steps.findLastIndex((step) => step <= seq)) / end;
          const sign = h("span", { class: "cost-sign", "data-seq": seq }, h("span", {}, String(turn)));
          sign.style.left = `${x}%`;
          sign.style.top = `${level(line, x)}%`;
          return sign;
        }),
      );
      $("marks").replaceChildren(
        ...found.marks.map(({ seq, turn, cost, message }) => {
          const button = h(
            "button",
            { type: "button", class: "mark", "data-seq": seq, title: message },
            h("b", {}, say("−{points} wins", { points: Math.round(-100 * cost) })),
            ` ${found?.unit === "round" ? say("round {turn}", { turn }) : say("turn {turn}", { turn })}`,
          );
          button.addEventListener("click", () => onChoose(seq));
          return button;
        }),
      );
      return true;
    },

    /** Show the win chance at event `seq`, and its cost; return false if there is no analysis. @param {number} seq */
    move(seq) {
      if (!found) return false;
      const mark = this.mark(seq);
      const shown = mark ? mark.side : best();
      if (shown !== side) {
        side = shown;
        this.draw(...drawn);
      }
      const point = found.points.findLast((one) => one.seq <= seq) ?? found.points[0];
      const words = mark ? `${chance(mark.before)} → ${chance(mark.after)}` : chance(point.sides[side]);
      $("level").hidden = false;
      $("level").replaceChildren(h("span", {}, title(found)), h("b", {}, words));
      for (const sign of $$("[data-seq]", $("costs")))
        sign.toggleAttribute("data-now", sign.dataset.seq === String(seq));
      for (const button of $$("[data-seq]", $("marks")))
        button.setAttribute("aria-pressed", String(button.dataset.seq === String(seq)));
      // The number comes first: a long message may be cut.
      $("cost").replaceChildren(...(mark ? [h("b", {}, costOf(mark)), ` ${mark.message}`] : [rest(found)]));
      return true;
    },
  };
}

/** @param {SwingMark} mark */
function costOf({ cause, cost }) {
  const points = Math.round(-100 * cost);
  if (cause === "skill") return say("This choice cost {points} wins per 100 games.", { points });
  if (cause === "luck") return say("This result cost {points} wins per 100 games.", { points });
  return say("This change cost {points} wins per 100 games.", { points });
}

/** @param {Analysis} analysis */
function rest({ marks, stale_from, status }) {
  if (stale_from !== null) return say("Event {event} and later ones are not analysed yet.", { event: stale_from });
  if (marks.length > 0) return say("Each number is the drop in wins per 100 games that the event caused.");
  return status === "done" ? say("No event cost more than 5 wins per 100 games.") : say("Looking for costly events…");
}

/** Return the height of a line at `x`, between its points. @param {{x: number, y: number}[]} line @param {number} x */
function level(line, x) {
  const after = Math.max(
    1,
    line.findIndex((point) => point.x >= x),
  );
  const [from, to] = [line[after - 1], line[after] ?? line[after - 1]];
  return to.x === from.x ? to.y : from.y + ((to.y - from.y) * (x - from.x)) / (to.x - from.x);
}

/**
 * Show each seat's skill, with the viewers if this viewer can change them.
 * @param {string} url @param {string[]} names @param {Skill[]} skills
 */
function drawSkills(url, names, skills) {
  const audiences = {
    [say("Only this seat")]: [],
    [say("The table")]: names.map((_, at) => `p${at + 1}`),
    [say("Everyone")]: ["public"],
  };
  const rows = skills.map(({ seat, skill, low, high, choices, shown_to, may_show }) => {
    const name = names[Number(seat.slice(1)) - 1];
    const [points, least, most] = [skill, low, high].map((share) => String(Math.round(100 * share)).replace("-", "−"));
    const words = say(
      "{name}: {choices} choices changed the result by {points} wins per 100 games (likely range: {least} to {most})",
      {
        name,
        points,
        least,
        most,
        choices,
      },
    );
    if (!may_show) return h("li", {}, words);
    const options = Object.entries(audiences).map(([label, viewers]) => {
      const option = h("option", { value: viewers.join() }, label);
      option.selected = viewers.join() === shown_to.join();
      return option;
    });
    const select = h("select", { "aria-label": say("Who can see the skill of {name}", { name }) }, ...options);
    select.addEventListener("change", () => {
      const body = { shown_to: select.value ? select.value.split(",") : [] };
      api(`${url}/analyses/skills/${seat}`, { method: "PUT", body }).catch((error) =>
        toast(messageOf(error), { kind: "bad" }),
      );
    });
    return h("li", {}, `${words} `, select);
  });
  $("skill-list").replaceChildren(...rows);
  $("skills").hidden = rows.length === 0;
}
