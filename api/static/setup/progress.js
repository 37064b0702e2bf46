// The progress of a setup: a line with a section for each part, and the count of the current screen.

import { $, h } from "../ui.js";
import { say } from "../words.js";

/** @param {import("./table.js").Table} table @param {import("./table.js").Page} page @param {number} screen  the current one */
export function showProgress(table, page, screen) {
  const shown = page.steps.flatMap((_, number) => {
    const parts = table.parts.filter((part) => part.screen === number);
    const deals = parts.filter(({ kind }) => kind === "deal");
    return [...parts.filter(({ kind }) => kind !== "deal").map((part) => [part]), ...(deals.length ? [deals] : [])];
  });
  const counts = shown.map((parts) => {
    // Nobody knows how many places of an optional part will be filled.
    const isOpen = parts.some((part) => part.report?.is_optional);
    const isDone = isOpen && table.passed.has(parts[0].screen);
    const values = isOpen ? [isDone || null] : parts.flatMap((part) => table.values(part));
    return { done: values.filter((value) => value !== null).length, total: values.length };
  });
  $("progress").replaceChildren(
    ...counts.map(({ done, total }) => {
      const bar = h("i");
      bar.style.setProperty("--n", String(total));
      bar.style.setProperty("--v", `${(done / total) * 100}%`);
      return bar;
    }),
  );
  const told = counts.map((count) => say("{done} of {total}", count)).join(", ");
  $("progress").setAttribute("aria-label", say("Set up: {counts}", { counts: told }));
  const needed = table.parts.filter((part) => part.screen === screen && !part.report?.is_optional);
  const here = needed.flatMap((part) => table.values(part));
  const done = here.filter((value) => value !== null).length;
  $("count").textContent = here.length ? say("{done} of {total}", { done, total: here.length }) : "";
}
