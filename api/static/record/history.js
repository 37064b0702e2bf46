// What undo would take back, and what redo would bring back: the line of events that stands, made from the story.

/** Not of the game, and not to be taken back by a tap. */
const FIXED = new Set(["game_opened", "set_up", "game_closed", "undo"]);

/**
 * @param {{seq: number, type: string, to?: number, is_undone: boolean, sentence: string}[]} story  from event 1 on
 * @returns {{undo: {to: number, line: object} | null, redo: {to: number, line: object} | null}}
 *   the event to go back to, and the line of the story that goes or comes back
 */
export function history(story) {
  const last = story.findLast((line) => !line.is_undone && !FIXED.has(line.type));
  return { undo: last ? { to: last.seq - 1, line: last } : null, redo: redo(story) };
}

function redo(story) {
  // A node is the last event of a line that stood; what was before it hangs on `before`.
  const nodes = [{ seq: 0, depth: 0, before: null }];
  let undone = [];
  for (const line of story) {
    const now = nodes.at(-1);
    if (line.type === "annotate") {
      nodes.push(now);
      continue;
    }
    if (line.type !== "undo") {
      nodes.push({ seq: line.seq, depth: now.depth + 1, before: now });
      undone = [];
      continue;
    }
    const then = nodes[line.to];
    if (stands(now, then)) undone.pop();
    else undone.push({ to: line.seq - 1, line: story[next(then, now).seq - 1] });
    nodes.push(then);
  }
  return undone.at(-1) || null;
}

/** Whether the line that ends in `node` is the beginning of the one that ends in `longer`. */
function stands(node, longer) {
  let at = longer;
  while (at.depth > node.depth) at = at.before;
  return at === node && longer !== node;
}

/** The first event after `node` on the line that ends in `longer`; `longer` itself where it is not on it. */
function next(node, longer) {
  let at = longer;
  while (at.before && at.depth > node.depth + 1) at = at.before;
  return at;
}
