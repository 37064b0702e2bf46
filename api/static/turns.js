// Under which turn each line of a story belongs: the same on every page.

/** Whether a line was taken back, or takes others back. @param {StoryLine} line */
export function isTakenBack(line) {
  return line.is_undone || line.type === "undo";
}

/**
 * The lines by turns. An undo belongs with what it takes back, under the turn of the first of these: there the table is again.
 * @param {StoryLine[]} lines  in order
 */
export function byTurn(lines) {
  /** @type {{turn: number, lines: StoryLine[]}[]} */
  const turns = [];
  for (const line of lines) {
    const last = turns.at(-1);
    const before = last?.lines.at(-1);
    const isSameRun = before && isTakenBack(before) && isTakenBack(line);
    if (last && (isSameRun || last.turn === (line.turn ?? 0))) last.lines.push(line);
    else turns.push({ turn: line.turn ?? 0, lines: [line] });
  }
  return turns;
}
