// "Try another choice" in the replay: the choices at a costly event, or the other results, each with a branch.

import { api, newKey, ProblemError, waitForJob } from "./api.js";
import { isMeant, mark as light, placesOf } from "./record/marks.js";
import { chance } from "./swings.js";
import { $, $$, h, messageOf, toast } from "./ui.js";
import { say } from "./words.js";

/**
 * Open a branch of a game, and return its id.
 * @param {string} url  of the game
 * @param {{at: number, chance: unknown}} body
 * @param {string} key
 * @returns {Promise<string>}
 */
export async function branch(url, body, key) {
  const answer = await api(`${url}/forks`, { body, key });
  // A worker creates a long branch, so the response is a job.
  return answer.kind === "fork" ? (await waitForJob(answer.id)).game : answer.id;
}

/** @typedef {{type: string, actor: string | null, params: unknown, outcomes?: unknown[]}} Branched */

/** Return params as text, in any order of their names. @param {Record<string, unknown>} params */
const textOf = (params) => JSON.stringify(Object.entries(params).sort());

/**
 * @param {string} url  of the game
 * @param {string} games  the address of all games' pages
 * @param {string} kind  the game's kind of chance
 * @param {(seq: number) => SwingMark | undefined} markOf
 * @param {(seq: number, since?: number) => Promise<void>} picture  draw the table after an event
 */
export function setUpBranches(url, games, kind, markOf, picture) {
  let seq = 0;
  /**
   * The events to record in the branch, by choice, each with its key: a second tap does not open a second branch.
   * @type {{event: Branched, chance: string, key: string}[]}
   */
  let bodies = [];

  /** @param {number} at */
  function move(at) {
    if (at === seq && !$("trying").hidden) return;
    seq = at;
    show(false);
    const mark = markOf(at);
    const isChoice = Boolean(mark?.choices.length);
    $("try").hidden = !mark || mark.cause === "other";
    $("try").textContent = isChoice ? say("Try another choice") : say("Try another result");
    $("fork").classList.toggle("beside-try", !$("try").hidden);
  }

  /** @param {boolean} isOpen */
  function show(isOpen) {
    $("trying").hidden = !isOpen;
    $("replay").toggleAttribute("data-trying", isOpen);
  }

  /** @param {string} label @param {string} note @param {number} share @param {string} words @param {boolean} isRecorded */
  function option(label, note, share, words, isRecorded) {
    const input = h("input", { type: "radio", name: "try", value: bodies.length });
    const meter = h("span", { class: "share", "aria-hidden": "true" }, h("span", {}));
    /** @type {HTMLElement} */ (meter.firstChild).style.width = `${100 * share}%`;
    const text = h("span", {}, h("b", {}, label), note && h("span", { class: "soft" }, note));
    return h("label", { class: isRecorded ? "option recorded" : "option" }, input, text, meter, h("b", {}, words));
  }

  /** @param {SwingMark} mark */
  function choices(mark) {
    return mark.choices.map(({ label, type, actor, params, value, is_recorded }) => {
      const row = option(label, is_recorded ? say("At the table") : "", value.p, chance(value), is_recorded);
      bodies.push({ event: { type, actor, params }, chance: kind, key: newKey() });
      return row;
    });
  }

  async function results() {
    const event = await api(`${url}/events/${seq}`);
    const { actions } = await api(`${url}/actions`, { query: { until: seq - 1 } });
    const same = textOf(event.params);
    const action = actions.find(
      /** @param {LegalActions["actions"][number]} one */
      ({ type, actor, params }) => type === event.type && actor === event.actor && textOf(params) === same,
    );
    /** @type {any[]} */
    const outcomes = action?.chance[0]?.outcomes ?? [];
    return outcomes
      .toSorted((one, other) => other.p - one.p)
      .map(({ value, label, p, p_exact }) => {
        const isRecorded = JSON.stringify(event.outcomes) === JSON.stringify([value]);
        const row = option(label, isRecorded ? say("At the table") : "", p ?? 0, p_exact ?? "", isRecorded);
        const { type, actor, params } = event;
        bodies.push({ event: { type, actor, params, outcomes: [value] }, chance: "observed", key: newKey() });
        return row;
      });
  }

  async function open() {
    const mark = markOf(seq);
    if (!mark) return;
    bodies = [];
    const isChoice = mark.choices.length > 0;
    const rows = isChoice ? choices(mark) : await results();
    if (rows.length < 2) throw new Error(say("Driftlog found no other option here."));
    $("trying-title").textContent = isChoice ? say("What to do instead") : say("Possible results");
    $("trying-what").textContent = isChoice ? say("Win chance after each choice") : say("Exact odds");
    $("options").replaceChildren(...rows);
    show(true);
    await picture(seq - 1);
    if (isChoice) ringPlaces();
    /** @type {HTMLInputElement | null} */
    const first = $("options").querySelector("label:not(.recorded) input");
    first?.click();
    first?.focus();
  }

  /** Ring the places of the choices on the board. A tap on one selects the choice. */
  function ringPlaces() {
    const places = bodies.map(({ event }) => placesOf(event.params));
    for (const tile of $$("#board [data-place]:not([data-seat])")) {
      const at = places.findIndex((named) => isMeant(String(tile.dataset.place), named));
      if (at < 0) continue;
      light(tile, []);
      tile.addEventListener("click", () => $$("input", $("options"))[at].click());
    }
  }

  async function playOn() {
    const chosen = /** @type {HTMLInputElement | null} */ ($("options").querySelector("input:checked"));
    if (!chosen) return;
    const { event, chance: by, key } = bodies[Number(chosen.value)];
    const id = await branch(url, { at: seq - 1, chance: by }, key);
    await api(`/v1/games/${id}/events`, { body: event, key: `${key}-event` }).catch((error) => {
      // The players of the branch report the card that the action draws.
      if (!(error instanceof ProblemError && error.slug === "outcome-required")) throw error;
    });
    location.assign(`${games}${id}/record`);
  }

  /** @param {unknown} error */
  const complain = (error) => toast(messageOf(error), { kind: "bad" });
  $("try").addEventListener("click", () => open().catch(complain));
  $("play-on").addEventListener("click", () => playOn().catch(complain));
  $("back-to-replay").addEventListener("click", () => {
    show(false);
    picture(seq, seq - 1);
    $("try").focus();
  });
  return { move };
}
