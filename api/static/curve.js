// The curve of a game over its timeline, such as the water, sand or threat after each turn.

/**
 * Return the points of the curve, in a box of 100 by 100 with its origin at the upper left.
 * @param {number[]} steps  the events of the replay, in order
 * @param {Pick<RecapPoint, "seq" | "level">[]} points  in order
 * @param {number} last  the last event that may be shown
 */
export function curve(steps, points, last) {
  const known = points.filter((point) => point.seq <= last);
  const most = Math.max(1, ...points.map((point) => point.level));
  const end = Math.max(1, steps.length - 1);
  return known.map(({ seq, level }) => {
    const index = Math.max(
      0,
      steps.findLastIndex((step) => step <= seq),
    );
    return { x: round((100 * index) / end), y: round(100 - (100 * level) / most), level, seq };
  });
}

/** Return the curve as SVG paths: the line, and the area below it. @param {ReturnType<typeof curve>} points */
export function paths(points) {
  const line = points.map(({ x, y }, at) => `${at ? "L" : "M"}${x} ${y}`).join("");
  if (points.length < 2) return { line: "", under: "" };
  return { line, under: `${line}L${points[points.length - 1].x} 100L${points[0].x} 100z` };
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;
