// The prose that the table reads now, aloud if the browser has a voice for the language of the page.

import { around, h } from "../ui.js";
import { language, say } from "../words.js";
import { sign } from "./signs.js";

/** @typedef {{id: string, title: string, text: string}} Prose */

export class Passage {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.text = "";
    /** The sentence being read. @type {HTMLElement | null} */
    this.current = null;
    this.button = h("button", { type: "button", class: "button", onclick: () => this.toggle() });
    // While the page reads aloud, a tap on a sentence continues there.
    host.addEventListener("click", (event) => {
      const sentence = around(event, "span");
      if (this.current && sentence) this.read(sentence);
    });
    // The browser may load its voices after the page.
    globalThis.speechSynthesis?.addEventListener?.("voiceschanged", () => this.label());
    addEventListener("pagehide", () => this.read(null));
  }

  /** @param {Prose | null | undefined} prose */
  show(prose) {
    const text = prose?.text ?? "";
    if (this.text === text) return;
    this.text = text;
    this.read(null);
    this.host.hidden = !text;
    const sentences = [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)];
    this.host.replaceChildren(
      this.button,
      h(
        "p",
        {},
        sentences.map(({ segment }) => h("span", {}, segment)),
      ),
    );
    this.host.scrollTop = 0;
  }

  toggle() {
    this.read(this.current ? null : this.host.querySelector("span"));
  }

  /** Read from a sentence on; null: stop. @param {HTMLElement | null} sentence */
  read(sentence) {
    const speech = globalThis.speechSynthesis;
    this.current?.classList.remove("is-read");
    this.current = null;
    speech?.cancel();
    if (sentence && speech) {
      this.current = sentence;
      sentence.classList.add("is-read");
      const words = new SpeechSynthesisUtterance(sentence.textContent ?? "");
      words.lang = language;
      words.onend = () => {
        if (this.current === sentence) this.read(/** @type {HTMLElement | null} */ (sentence.nextElementSibling));
      };
      speech.speak(words);
    }
    this.label();
  }

  label() {
    const voices = globalThis.speechSynthesis?.getVoices() ?? [];
    this.button.hidden = !voices.some(({ lang }) => lang.split(/[-_]/)[0] === language);
    this.button.replaceChildren(sign("note"), this.current ? say("Stop reading") : say("Read aloud"));
  }
}
