// Parse pasted lists of any form.

/** Return a name without case, accents and signs, for matching. @param {string | number} text */
export function plainName(text) {
  return String(text)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Return the entries of a list, split at commas, tabs or lines if it has any, otherwise at spaces. @param {string} text
 */
export function parseList(text) {
  const by = /[\n\t,;|]/.test(text) ? /[\n\t,;|]+/ : /\s+/;
  return text
    .split(by)
    .map((word) => word.replace(/^\s*\d+[.)]\s+/, "").trim())
    .filter(Boolean);
}
