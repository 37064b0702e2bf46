// Compute what undo and redo would do, from the story.

/** Event types that undo skips. */
const FIXED = new Set(["game_opened", "set_up", "game_closed", "undo"]);
/** Event types that change the story of earlier events. */
export const REWRITING = new Set(["undo", "amend", "reveal", "adjust"]);

/**
 * @typedef {{to: number, line: Pick<StoryLine, "seq" | "sentence">}} Step
 * @param {(Pick<StoryLine, "seq" | "type" | "to" | "is_undone" | "sentence"> & {recorded_at?: string})[]} story
 *   from event 1 on
 * @returns {{undo: Step | null, redo: Step | null}}
 *   the event to go back to, and the story line that is undone or redone
 */
export function history(story) {
  const last = story.findLast((line) => !line.is_undone && !FIXED.has(line.type));
  return { undo: last ? { to: first(story, last).seq - 1, line: last } : null, redo: redo(story) };
}

/**
 * The first event that was recorded with `last`: the steps that it skipped, or `last` itself.
 * @param {Parameters<typeof history>[0]} story
 * @param {Parameters<typeof history>[0][number]} last
 */
function first(story, last) {
  let at = last.seq - 1;
  while (at > 0 && story[at - 1].type === "left_out" && isWith(story[at - 1], last)) at -= 1;
  return story[at];
}

/**
 * Return true if both events are in effect and were recorded by the same request.
 * @param {Parameters<typeof history>[0][number]} one
 * @param {Parameters<typeof history>[0][number]} other
 */
function isWith(one, other) {
  return !one.is_undone && one.recorded_at !== undefined && one.recorded_at === other.recorded_at;
}

/** @typedef {{seq: number, depth: number, before: Node | null}} Node */

/**
 * The story after all queued taps are recorded.
 * @param {StoryLine[]} story
 * @param {Pick<Tap, "body" | "label">[]} taps
 * @returns {(Parameters<typeof history>[0][number])[]}
 */
export function predictStory(story, taps) {
  /** @type {Parameters<typeof history>[0]} */
  let lines = [...story];
  for (const { body, label } of taps) {
    const to = /** @type {number | undefined} */ (body.params.to);
    const isUndo = body.type === "undo";
    lines.push({ seq: lines.length + 1, type: body.type, is_undone: false, sentence: label, ...(isUndo && { to }) });
    if (isUndo && to !== undefined) lines = linesAfterUndo(lines, to);
  }
  return lines;
}

/**
 * The lines after an undo that goes back to event `to`.
 * @param {Parameters<typeof history>[0]} lines
 * @param {number} to
 */
function linesAfterUndo(lines, to) {
  const standing = new Set();
  for (let at = /** @type {Node | null} */ (walkStory(lines).now); at; at = at.before) standing.add(at.seq);
  return lines.map((line) => {
    if (line.type === "undo") return line;
    const isUndone = line.type === "annotate" ? line.is_undone || line.seq > to : !standing.has(line.seq);
    return { ...line, is_undone: isUndone };
  });
}

/**
 * The event after which the story changes once `body` is recorded.
 * @param {StoryLine[]} story
 * @param {NewEvent} body
 */
export function changesAfter(story, body) {
  if (!REWRITING.has(body.type)) return story.length;
  if (body.type !== "undo" || story.some(({ type }) => type !== "undo" && REWRITING.has(type))) return 0;
  // Earlier undos may no longer be in effect, so return the earliest event to which any undo goes back.
  return story.reduce((first, { to }) => Math.min(first, to ?? first), Number(body.params.to));
}

/** @param {Parameters<typeof history>[0]} story @returns {Step | null} */
function redo(story) {
  return walkStory(story).undone.at(-1) || null;
}

/** The current line of events, and its undone continuations. @param {Parameters<typeof history>[0]} story */
function walkStory(story) {
  // A node is the last event of a line; earlier events follow by `before`.
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
    if (isPrefix(now, then)) undone.pop();
    else undone.push({ to: line.seq - 1, line: story[next(then, now).seq - 1] });
    now = then;
    nodes.push(now);
  }
  return { now, undone };
}

/**
 * Return true if the line ending in `node` is a prefix of the line ending in `longer`.
 * @param {Node} node
 * @param {Node} longer
 */
function isPrefix(node, longer) {
  let at = longer;
  while (at.before && at.depth > node.depth) at = at.before;
  return at === node && longer !== node;
}

/**
 * The first event after `node` on the line ending in `longer`; `longer` itself if `node` is not on that line.
 * @param {Node} node
 * @param {Node} longer
 */
function next(node, longer) {
  let at = longer;
  while (at.before && at.depth > node.depth + 1) at = at.before;
  return at;
}
