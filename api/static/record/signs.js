// The drawings of `_symbols.html` as elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} properties
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(name, properties = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** The drawing of a symbol, as large as the text beside it. @param {string} symbol @param {string} [more] */
export function sign(symbol, more = "") {
  return svg("svg", { class: `sign ${more}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, useSymbol(`s-${symbol}`));
}

/** @param {string} id @param {Record<string, string | number>} [properties] */
export function useSymbol(id, properties = {}) {
  return svg("use", { href: `#${id}`, ...properties });
}

/** A symbol on a tile in its colour. @param {{symbol?: string | null, tint?: string | null}} card */
export function mini({ symbol, tint }) {
  const box = document.createElement("span");
  box.className = `mini tint-${tint ?? "steel"}`;
  box.append(sign(symbol ?? "card"));
  return box;
}

/** A player's pawn: form, colour and initials. @param {Player} player */
export function badge({ form, colour, initials }) {
  const text = svg("text", { fill: `var(--dl-${colour}-letter)`, y: form === "triangle" ? 9 : 6.5 });
  text.textContent = initials;
  return svg(
    "svg",
    { class: "badge dl-board", viewBox: "-24 -24 48 48", "aria-hidden": "true" },
    useSymbol(`f-${form}`, { class: "badge-rim", x: -24, y: -24, width: 48, height: 48 }),
    useSymbol(`f-${form}`, {
      class: "badge-form",
      fill: `var(--dl-${colour}-pawn)`,
      x: -24,
      y: -24,
      width: 48,
      height: 48,
    }),
    text,
  );
}
