// The sheet to adjust the table by facts: the current facts, the changes, and the contradictions.

import { api, ProblemError, Unreachable } from "../api.js";
import { h } from "../ui.js";
import { say } from "../words.js";
import { choiceRow, restRow } from "./factrows.js";
import { Facts } from "./facts.js";
import { schemaForm } from "./form.js";
import { field, formSheet } from "./sheets.js";

/**
 * The fields for the reason and who agreed.
 * @typedef {{elements: Element[], read: () => Record<string, unknown>}} Agreement
 */

/** @param {string} label @param {() => void} onclick @param {string} [kind] */
function button(label, onclick, kind = "") {
  return h("button", { type: "button", class: `button ${kind}`, onclick }, label);
}

/**
 * @param {import("./table.js").Table} table
 * @param {Recorder} record
 * @param {Agreement} agreement
 */
export async function factSheet(table, record, agreement) {
  const players = table.game.seats.map((seat) => seat.name);
  const facts = new Facts(table.ruleset, await api(`${table.url}/facts`), players);
  const changes = h("section", { class: "changes", tabindex: "-1", "aria-label": say("Pending changes") });
  const refusal = h("div", {});
  const search = h("input", { type: "search", placeholder: say("For example, water"), autocomplete: "off" });
  const list = h("div", { class: "values facts" });
  const byKind = h("input", { type: "radio", name: "groups", checked: true });
  const byPlayer = h("input", { type: "radio", name: "groups" });
  const groups = h(
    "div",
    { class: "choices", role: "radiogroup", "aria-label": say("In groups") },
    h("label", { class: "choice" }, byKind, say("By kind")),
    h("label", { class: "choice" }, byPlayer, say("By player")),
  );

  const showList = () => {
    const isFound = search.value.trim() !== "";
    groups.hidden = isFound;
    const parts = isFound
      ? facts.search(search.value).map(line)
      : [...(byPlayer.checked ? facts.byPlayer() : facts.byKind())].map(([title, said]) => fold(title, said));
    list.replaceChildren(...(parts.length ? parts : [h("p", { class: "soft" }, say("No matching fact."))]));
  };
  /** @param {import("./facts.js").Said} said */
  const line = ({ fact, sentence }) => {
    const choice = facts.choice(facts.kindOf(fact));
    return choice
      ? choiceRow(facts, choice, fact, showChanges)
      : button(sentence, () => change(facts.kindOf(fact), fact), "block");
  };
  /** @param {string} title @param {import("./facts.js").Said[]} said */
  const fold = (title, said) =>
    h(
      "details",
      { class: "fold" },
      h("summary", { class: "button block" }, `${title} (${said.length})`),
      h(
        "div",
        { class: "facts" },
        byKind.checked && said.length > 1 && restRow(facts, facts.kindOf(said[0].fact), showChanges),
        said.map(line),
      ),
    );
  const showChanges = () => {
    refusal.replaceChildren();
    const lines = [...facts.changes].map(([subject, fact]) => {
      const sentence = facts.sentence(fact);
      const drop = () => {
        facts.changes.delete(subject);
        showChanges();
        showList();
        changes.focus();
      };
      const element = button(say("Remove"), drop, "quiet");
      element.setAttribute("aria-label", say("Remove: {what}", { what: sentence }));
      return h("li", { class: "event" }, h("p", {}, sentence), element);
    });
    changes.replaceChildren(
      ...(lines.length ? [h("h3", {}, say("Pending changes")), h("ul", { class: "plain" }, lines)] : []),
    );
  };

  /** @param {string} title @param {Child[]} children @param {() => Fact} read */
  const ask = (title, children, read) => {
    const heading = h("h3", { tabindex: "-1" }, title);
    const error = h("p", { class: "error", role: "alert" });
    const back = () => {
      view.remove();
      form.hidden = false;
      showChanges();
      changes.focus();
    };
    const view = h(
      "form",
      { class: "stack", novalidate: true },
      heading,
      children,
      error,
      h("button", { class: "button large block primary" }, say("Keep change")),
      button(say("Back"), back, "large block"),
    );
    view.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        facts.change(read());
        back();
      } catch (problem) {
        error.textContent = /** @type {Error} */ (problem).message;
      }
    });
    form.hidden = true;
    opened.body.append(view);
    heading.focus();
  };
  /** @param {FactType} kind @param {Fact} [fact]  the current fact, if there is one */
  const formOf = (kind, fact) =>
    schemaForm(facts.schema(kind, fact), {
      value: fact && { ...fact, ...facts.changes.get(facts.subject(fact)) },
      name: facts.name,
      titles: facts.titles,
      isInOrder: true,
    });
  /** @param {FactType} kind @param {Fact} fact */
  const change = (kind, fact) => {
    const inner = formOf(kind, fact);
    const hint = h("p", { class: "hint" }, kind.summary);
    ask(
      say("Correct value"),
      [h("p", { class: "quote" }, facts.saidOf(fact)?.sentence), hint, inner.element],
      inner.read,
    );
  };
  const somethingElse = () => {
    const host = h("div", {});
    /** @type {Form} */
    let inner;
    const kinds = [...facts.kinds.values()];
    const show = () => {
      inner = formOf(kinds[Number(which.value)]);
      host.replaceChildren(inner.element);
    };
    const which = h(
      "select",
      { onchange: show },
      kinds.map((kind, index) => h("option", { value: String(index) }, facts.title(kind))),
    );
    show();
    ask(say("Something else"), [field(say("Subject"), which), host], () => inner.read());
  };

  /** @param {Problem} problem */
  const refuse = (problem) => {
    const instead = Array.isArray(problem.instead) ? problem.instead : [];
    const take = () => {
      facts.changeTo(instead);
      showChanges();
      form.requestSubmit();
    };
    const violations = (problem.violations ?? []).map(({ message, rule }) =>
      h("li", {}, rule ? `${message} (${rule})` : message),
    );
    refusal.replaceChildren(
      h(
        "div",
        { class: "notice bad stack" },
        h("strong", {}, say("This table is impossible.")),
        h("ul", { class: "meanwhile" }, violations),
        instead.length > 0 && h("p", {}, say("Possible values:")),
        instead.length > 0 &&
          h(
            "ul",
            { class: "meanwhile" },
            instead.map((fact) => h("li", {}, facts.sentence(fact))),
          ),
        instead.length > 0 && button(say("Use this instead"), take, "large block primary"),
      ),
    );
    refusal.scrollIntoView({ block: "nearest" });
  };
  const send = async () => {
    if (facts.changes.size === 0) throw new Error(say("Tap what is wrong and enter the correct value."));
    const params = { facts: [...facts.changes.values()], ...agreement.read() };
    const body = { type: "adjust", actor: null, params };
    refusal.replaceChildren();
    try {
      await api(`${table.url}/events`, { query: { dry_run: true }, body });
    } catch (error) {
      if (error instanceof ProblemError && error.slug === "unsound-table") {
        refuse(error.problem);
        throw new Error(say("Nothing has changed yet."));
      }
      // It is queued with the other taps until the service is reachable.
      if (!(error instanceof Unreachable)) throw error;
    }
    record(body, say("Adjust the table"));
  };

  search.addEventListener("input", showList);
  for (const way of [byKind, byPlayer]) way.addEventListener("change", showList);
  showList();
  const opened = formSheet(
    say("Adjust the table"),
    [
      h(
        "p",
        { class: "soft" },
        say("Use this for changes that no action describes. Tap what is wrong. The record shows what you changed."),
      ),
      changes,
      field(say("Find a fact"), search),
      groups,
      list,
      button(say("Something else"), somethingElse, "large block"),
      ...agreement.elements,
      refusal,
    ],
    { submit: say("Change the table"), onSubmit: send },
  );
  const form = /** @type {HTMLFormElement} */ (opened.body.firstElementChild);
}
