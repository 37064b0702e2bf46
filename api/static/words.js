// Translate texts into the language of the page. The code contains the English texts, which are looked up here. A page
// in another language loads its catalogue from `/words.<language>.js` before all modules.

const catalogue = globalThis.catalogue ?? { words: {}, form: (/** @type {number} */ count) => Number(count !== 1) };
/** The language of the page (BCP 47), for `Intl`. */
export const language = globalThis.document?.documentElement?.lang || "en";
const isEnglish = language === "en";

/**
 * Translate a text into the language of the page, and replace each `{name}`.
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

/** Return a text with exactly one full stop. @param {string} text */
export function sentence(text) {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Mark a text for the catalogue without translating it yet. @param {string} text */
export function marked(text) {
  return text;
}

/**
 * Translate a text that contains elements; return its texts and elements in order.
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
 * Return the noun for a count.
 * @param {number} count
 * @param {string} one  the singular in English
 * @param {string} [several]  the plural, if it is not `one` with an s
 */
export function plural(count, one, several = `${one}s`) {
  const forms = catalogue.words[one];
  if (Array.isArray(forms)) return forms[catalogue.form(count)];
  return count === 1 ? one : several;
}

/**
 * Return a count with its noun, such as "1 card" or "2 cards". @param {number} count @param {string} one @param
 * {string} [several]
 */
export function counted(count, one, several) {
  return `${count} ${plural(count, one, several)}`;
}

/** Return names as a list in words, such as "Ann, Bob and Cleo". @param {string[]} names */
export function together(names) {
  if (names.length < 2) return names.join("");
  return say("{first} and {last}", { first: names.slice(0, -1).join(", "), last: names.at(-1) });
}

/**
 * Return a title for use within a sentence: lower case in English; other languages may keep capitals. @param {string}
 * text
 */
export function lowerCase(text) {
  return isEnglish ? text.toLowerCase() : text;
}

/** Return a text with a capital first letter. @param {string} text */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
