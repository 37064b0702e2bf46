// The fields for the players of a new game.

import { api, ProblemError } from "./api.js";
import { $$, around, h, keep, messageOf, recall } from "./ui.js";
import { say } from "./words.js";

const MOST_NAMES = 24;
const MOST_CHIPS = 8;
const RECENT = 100; // past tables to suggest players from

export class Seats {
  /**
   * @param {HTMLElement} host  the list of the fields
   * @param {HTMLElement} add  the button that adds a player
   * @param {{ruleset: string, least: number, most: number, onChange: (names: string[]) => void}} how
   */
  constructor(host, add, { ruleset, least, most, onChange }) {
    this.host = host;
    this.add = add;
    this.ruleset = ruleset;
    this.least = least;
    this.most = most;
    this.onChange = onChange;
    /** @type {string[]} */
    this.known = recall("names") || [];
    this.suggested = h("datalist", { id: "known-names" });
    this.chips = h("div", { class: "row known", role: "group", "aria-label": say("Known players") });
    add.after(this.chips, this.suggested);
    /** @type {string[]} */
    this.before = recall(`table.${ruleset}`) || [];
    this.fill(this.before);
    this.learn();
    add.addEventListener("click", () => this.seat().focus());
    host.addEventListener("input", (event) => {
      if (event.target instanceof HTMLInputElement) event.target.setCustomValidity("");
      this.notify();
    });
    host.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      const row = around(event, "li");
      const next = row?.nextElementSibling?.querySelector("input");
      if (next) next.focus();
      else if (host.children.length < this.most && row?.querySelector("input")?.value.trim()) this.seat().focus();
    });
  }

  /** All fields. @returns {HTMLInputElement[]} */
  get inputs() {
    return $$("input", this.host);
  }

  /** The typed names, without empty rows. */
  get typedNames() {
    return this.inputs.map((input) => input.value.trim()).filter(Boolean);
  }

  /** The players. After a name is typed, empty rows count only up to the minimum number of players. */
  get names() {
    const { typedNames: typed, least } = this;
    const count = typed.length ? Math.max(least, typed.length) : this.host.children.length;
    return Array.from({ length: count }, (_, at) => typed[at] ?? say("Player {number}", { number: at + 1 }));
  }

  /** Set the minimum and maximum number of players. @param {number} least @param {number} most */
  limit(least, most) {
    Object.assign(this, { least, most });
    while (this.host.children.length < least) this.seat();
    const empty = $$("li", this.host).filter((row) => !row.querySelector("input")?.value.trim());
    for (const row of empty.toReversed()) if (this.host.children.length > most) row.remove();
    this.number();
  }

  /** @param {string[]} names */
  fill(names) {
    this.host.replaceChildren();
    for (let index = 0; index < Math.min(this.most, Math.max(this.least, names.length)); index += 1)
      this.seat(names[index]);
    this.notify();
  }

  seat(name = "") {
    const input = h("input", {
      class: "seat-name",
      list: "known-names",
      autocomplete: "off",
      autocapitalize: "words",
      enterkeyhint: "next",
      maxlength: 80,
    });
    input.value = name;
    const remove = h("button", { type: "button", class: "button quiet square", onclick: () => this.leave(row) }, "×");
    const row = h("li", { class: "seat" }, h("span", { class: "seat-number", "aria-hidden": "true" }), input, remove);
    this.host.append(row);
    this.number();
    return input;
  }

  /** @param {Element} row */
  leave(row) {
    const next = row.nextElementSibling || row.previousElementSibling;
    row.remove();
    this.number();
    next?.querySelector("input")?.focus();
  }

  number() {
    const rows = $$("li", this.host);
    rows.forEach((row, index) => {
      /** @type {HTMLInputElement[]} */
      const [input] = $$("input", row);
      const [place] = $$("span", row);
      const [remove] = $$("button", row);
      place.textContent = String(index + 1);
      input.setAttribute("aria-label", say("Player {number}", { number: index + 1 }));
      input.placeholder = say("Player {number}", { number: index + 1 });
      remove.setAttribute("aria-label", say("Remove player {number}", { number: index + 1 }));
      remove.hidden = rows.length <= this.least;
    });
    this.add.hidden = rows.length >= this.most;
    this.notify();
  }

  notify() {
    this.onChange(this.names);
    const free = this.known.filter((name) => !this.typedNames.includes(name));
    this.suggested.replaceChildren(...free.map((name) => h("option", { value: name })));
    const isFull = this.typedNames.length >= this.most;
    this.chips.replaceChildren(
      ...(isFull ? [] : free.slice(0, MOST_CHIPS)).map((name) =>
        h("button", { type: "button", class: "button", onclick: () => this.sit(name) }, name),
      ),
    );
  }

  /** Put a known player into the first empty field. @param {string} name */
  sit(name) {
    const input = this.inputs.find((one) => !one.value.trim()) ?? this.seat();
    input.value = name;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Mark the second field with the same name, and return it; null if all names differ. */
  get twin() {
    const { inputs } = this;
    const keyOf = (/** @type {HTMLInputElement} */ input) => input.value.trim().toLocaleLowerCase();
    for (const input of inputs) input.setCustomValidity("");
    const again = inputs.find(
      (input, at) => keyOf(input) && inputs.slice(0, at).some((one) => keyOf(one) === keyOf(input)),
    );
    again?.setCustomValidity(
      say("Two players are called {name}. Add a letter to one of them.", { name: again.value.trim() }),
    );
    return again ?? null;
  }

  /** Remember the players for the next game. */
  keep() {
    keep("names", [...new Set([...this.typedNames, ...this.known])].slice(0, MOST_NAMES));
    keep(`table.${this.ruleset}`, this.typedNames);
  }

  /** Show a button that fills in the players of the last table. @param {string[]} last */
  offer(last) {
    const sit = () => {
      this.fill(last);
      button.remove();
      this.add.focus();
    };
    const button = h(
      "button",
      { type: "button", class: "button", onclick: sit },
      say("Same players as last time: {names}", { names: last.join(", ") }),
    );
    this.add.after(" ", button);
  }

  /** Fetch the latest players, from any phone. */
  async learn() {
    /** @param {object} query @returns {Promise<string[][]>} */
    const tables = async (query) => {
      const { games } = await api("/v1/games", { query });
      return games.map((/** @type {Game} */ { seats }) => seats.map(({ name }) => name));
    };
    try {
      const [[last = []], all] = await Promise.all([
        tables({ ruleset: this.ruleset, limit: 1 }),
        tables({ limit: RECENT }),
      ]);
      this.known.push(...new Set(all.flat().filter((name) => !this.known.includes(name))));
      if (last.length && String(last) !== String(this.before)) this.offer(last);
      this.notify();
    } catch {
      // If this fails, the user types the names.
    }
  }

  /** Return the row of a player: empty rows are not sent. @param {number} index */
  rowOf(index) {
    const typed = $$("li", this.host).filter((row) => row.querySelector("input")?.value.trim());
    return typed[index] ?? this.host.children[index];
  }
}

/**
 * Show an error at its field, which has the longest fitting `data-pointer`; otherwise in the `problem` of the form.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} problem
 * @param {Seats} seats
 * @param {unknown} error
 */
export function complain(form, problem, seats, error) {
  for (const wrong of form.querySelectorAll("[aria-invalid]")) wrong.removeAttribute("aria-invalid");
  problem.hidden = false;
  problem.textContent = messageOf(error);
  for (const { pointer, message } of (error instanceof ProblemError && error.problem.errors) || []) {
    problem.textContent = message;
    /** @param {HTMLElement} one */
    const pointerOf = (one) => one.dataset.pointer ?? "";
    const fields = $$("[data-pointer]", form).filter((one) => `${pointer}/`.startsWith(`${pointerOf(one)}/`));
    const field = fields.sort((a, b) => pointerOf(b).length - pointerOf(a).length)[0];
    if (!field) continue;
    const index = /^\/seats\/(\d+)/.exec(pointer)?.[1];
    const host = index ? seats.rowOf(Number(index)) : field;
    const [control] = host ? $$("input, select, textarea", host) : [];
    for (let fold = control?.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
      fold.open = true;
    control?.setAttribute("aria-invalid", "true");
    control?.focus();
    return control ?? null;
  }
  return null;
}
