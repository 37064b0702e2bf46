// Lists that somebody pastes, in whatever way they were written.

/** A name without case, accents and signs, so that what is meant is found. @param {string | number} text */
export function folded(text) {
  return String(text)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** The entries of a list: between commas, tabs or lines, where there are any; else word by word. @param {string} text */
export function listed(text) {
  const by = /[\n\t,;|]/.test(text) ? /[\n\t,;|]+/ : /\s+/;
  return text
    .split(by)
    .map((word) => word.replace(/^\s*\d+[.)]\s+/, "").trim())
    .filter(Boolean);
}
