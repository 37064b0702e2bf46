// Group the lines of a story by turn, the same on every page.

/** Return true if a line was undone, or undoes others. @param {StoryLine} line */
export function isTakenBack(line) {
  return line.is_undone || line.type === "undo";
}

/**
 * Group the lines by turn. An undo is grouped with the lines it undoes, under the turn of the first of them.
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
