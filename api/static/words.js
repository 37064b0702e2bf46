// What is said, in the language of the page: every text stands in English where it is said, and is looked up here.
// A page in another language has its catalogue from `/words.<language>.js`, which comes before all modules.

const catalogue = globalThis.catalogue ?? { words: {}, form: (/** @type {number} */ count) => Number(count !== 1) };
/** The language of the page (BCP 47), for `Intl`. */
export const language = globalThis.document?.documentElement?.lang || "en";
const isEnglish = language === "en";

/**
 * A text in the language of the page, each `{name}` in it replaced.
 * @param {string} text  in English
 * @param {Record<string, unknown>} [values]
 */
export function say(text, values) {
  const found = catalogue.words[text];
  const said = typeof found === "string" ? found : text;
  if (!values) return said;
  return said.replace(/\{(\w+)\}(\.(?!\.))?/g, (whole, name, stop = "") => {
    if (!(name in values)) return whole;
    return stop ? sentence(String(values[name])) : String(values[name]);
  });
}

/** A text as a sentence, with a single full stop. @param {string} text */
export function sentence(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** A text as it is: one that is said later belongs into the catalogue as well. @param {string} text */
export function marked(text) {
  return text;
}

/**
 * A text with elements in it: what stands before, between and behind them, and they.
 * @param {string} text
 * @param {Record<string, Child>} values
 * @returns {Child[]}
 */
export function sayWith(text, values) {
  return say(text)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? values[part] : part));
}

/**
 * What so many of a thing are called.
 * @param {number} count
 * @param {string} one  what one of them is in English
 * @param {string} [several]  what two of them are, where that is not `one` with an s
 */
export function plural(count, one, several = `${one}s`) {
  const forms = catalogue.words[one];
  if (Array.isArray(forms)) return forms[catalogue.form(count)];
  return count === 1 ? one : several;
}

/** "1 card", "2 cards". @param {number} count @param {string} one @param {string} [several] */
export function counted(count, one, several) {
  return `${count} ${plural(count, one, several)}`;
}

/** "Ann", "Ann and Bob", "Ann, Bob and Cleo". @param {string[]} names */
export function together(names) {
  if (names.length < 2) return names.join("");
  return say("{first} and {last}", { first: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/** A title as it stands within a sentence: in other languages than English nouns may keep their capitals. @param {string} text */
export function lowered(text) {
  return isEnglish ? text.toLowerCase() : text;
}

/** A text as it begins a line. @param {string} text */
export function begun(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
