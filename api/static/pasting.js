// Paste a list of values instead of tapping them.

import { parseList, plainName } from "./listed.js";
import { $, openSheet, toast } from "./ui.js";
import { say } from "./words.js";

/**
 * Set up the sheet for the list.
 * @param {import("./laying.js").Laying} laying
 * @param {() => string} question  the next question
 * @param {(value: import("./laying.js").Value) => void} lay
 */
export function pasting(laying, question, lay) {
  /** @param {string} word */
  const found = (word) =>
    laying
      .choices(laying.given.length)
      .find(({ value, label }) => [value, label].some((one) => plainName(one) === plainName(word)));
  $("paste-open", HTMLButtonElement).addEventListener("click", () => openSheet($("paste", HTMLDialogElement)));
  $("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("list", HTMLTextAreaElement).value;
    // First try the whole text: "Cliffs of Abandon" is one name, not a list of three words.
    const words = found(text) ? [text.trim()] : parseList(text);
    $("paste-problem").textContent = "";
    let done = 0;
    for (const word of words) {
      const choice = found(word);
      if (!choice) {
        $("paste-problem").textContent = laying.isWhole
          ? say("The list is too long: the setup is already complete before “{word}”.", { word })
          : say("“{word}” is not possible for {question}. The {count} values before it are filled in.", {
              word,
              question: question(),
              count: done,
            });
        break;
      }
      lay(choice.value);
      done += 1;
    }
    $("list", HTMLTextAreaElement).value = words.slice(done).join("\n");
    if (done < words.length) return;
    $("paste", HTMLDialogElement).close();
    toast(say("{count} filled in.", { count: done }), { kind: "good" });
  });
}
