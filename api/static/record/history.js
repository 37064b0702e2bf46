// What undo would take back, and what redo would bring back: the line of events that stands, made from the story.

/** Not of the game, and not to be taken back by a tap. */
const FIXED = new Set(["game_opened", "set_up", "game_closed", "undo"]);
/** After these the story of earlier events is another one. */
export const REWRITING = new Set(["undo", "amend", "reveal", "adjust"]);

/**
 * @typedef {{to: number, line: Pick<StoryLine, "seq" | "sentence">}} Step
 * @param {Pick<StoryLine, "seq" | "type" | "to" | "is_undone" | "sentence">[]} story  from event 1 on
 * @returns {{undo: Step | null, redo: Step | null}}
 *   the event to go back to, and the line of the story that goes or comes back
 */
export function history(story) {
  const last = story.findLast((line) => !line.is_undone && !FIXED.has(line.type));
  return { undo: last ? { to: last.seq - 1, line: last } : null, redo: redo(story) };
}

/** @typedef {{seq: number, depth: number, before: Node | null}} Node */

/**
 * The story as it will be when all taps that wait are recorded as they are.
 * @param {StoryLine[]} story
 * @param {Pick<Tap, "body" | "label">[]} taps
 * @returns {(Parameters<typeof history>[0][number])[]}
 */
export function foreseen(story, taps) {
  /** @type {Parameters<typeof history>[0]} */
  let lines = [...story];
  for (const { body, label } of taps) {
    const to = /** @type {number | undefined} */ (body.params.to);
    const isUndo = body.type === "undo";
    lines.push({ seq: lines.length + 1, type: body.type, is_undone: false, sentence: label, ...(isUndo && { to }) });
    if (isUndo && to !== undefined) lines = taken(lines, to);
  }
  return lines;
}

/** The lines after an undo that goes back to event `to`. @param {Parameters<typeof history>[0]} lines @param {number} to */
function taken(lines, to) {
  const standing = new Set();
  for (let at = /** @type {Node | null} */ (walked(lines).now); at; at = at.before) standing.add(at.seq);
  return lines.map((line) => {
    if (line.type === "undo") return line;
    const isUndone = line.type === "annotate" ? line.is_undone || line.seq > to : !standing.has(line.seq);
    return { ...line, is_undone: isUndone };
  });
}

/**
 * The event after which the story is told anew once `body` is recorded.
 * @param {StoryLine[]} story
 * @param {NewEvent} body
 */
export function retoldAfter(story, body) {
  if (!REWRITING.has(body.type)) return story.length;
  if (body.type !== "undo" || story.some(({ type }) => type !== "undo" && REWRITING.has(type))) return 0;
  // What was ever taken back may stand again, and what stood may not.
  return story.reduce((first, { to }) => Math.min(first, to ?? first), Number(body.params.to));
}

/** @param {Parameters<typeof history>[0]} story @returns {Step | null} */
function redo(story) {
  return walked(story).undone.at(-1) || null;
}

/** The line that stands, and what of it was undone. @param {Parameters<typeof history>[0]} story */
function walked(story) {
  // A node is the last event of a line that stood; what was before it hangs on `before`.
  /** @type {Node} */
  let now = { seq: 0, depth: 0, before: null };
  const nodes = [now];
  /** @type {Step[]} */
  let undone = [];
  for (const line of story) {
    if (line.type === "annotate") {
      nodes.push(now);
      continue;
    }
    if (line.type !== "undo") {
      now = { seq: line.seq, depth: now.depth + 1, before: now };
      nodes.push(now);
      undone = [];
      continue;
    }
    const then = nodes[line.to ?? 0];
    if (stands(now, then)) undone.pop();
    else undone.push({ to: line.seq - 1, line: story[next(then, now).seq - 1] });
    now = then;
    nodes.push(now);
  }
  return { now, undone };
}

/** Whether the line that ends in `node` is the beginning of the one that ends in `longer`. @param {Node} node @param {Node} longer */
function stands(node, longer) {
  let at = longer;
  while (at.before && at.depth > node.depth) at = at.before;
  return at === node && longer !== node;
}

/**
 * The first event after `node` on the line that ends in `longer`; `longer` itself where it is not on it.
 * @param {Node} node
 * @param {Node} longer
 */
function next(node, longer) {
  let at = longer;
  while (at.before && at.depth > node.depth + 1) at = at.before;
  return at;
}
