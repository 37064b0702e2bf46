// Lay out the parts of a table by position.

/**
 * Place elements in a grid of squares, or of hexes, each two columns wide.
 * @param {HTMLElement} host
 * @param {[spot: number[], element: HTMLElement][]} cells
 */
export function placeInGrid(host, cells) {
  const parity = (/** @type {number[]} */ [column, row]) => (column + row) % 2;
  const isOfHexes = cells.every(([spot]) => parity(spot) === parity(cells[0][0]));
  const wide = isOfHexes ? 2 : 1;
  host.className = `place-grid${isOfHexes ? " of-hexes" : ""}`;
  host.style.setProperty("--columns", String(Math.max(...cells.map(([[column]]) => column)) + wide - 1));
  for (const [[column, row], element] of cells) element.style.gridArea = `${row} / ${column} / auto / span ${wide}`;
  host.replaceChildren(...cells.map(([, element]) => element));
}

/** Return a name with soft hyphens, because cells are narrow. @param {string} name */
export function syllables(name) {
  return name.replace(/[a-zäöüß]{7,}/gi, (word) =>
    word
      .replace(/([aeiouäöü][^aeiouäöü])(?=[^aeiouäöü][aeiouäöü])/gi, "$1\u00ad")
      .replace(/([^aeiouäöü][aeiouäöü])(?=[^aeiouäöü][aeiouäöü])/gi, "$1\u00ad"),
  );
}
