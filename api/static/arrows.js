// Arrow keys on a plane: move to the nearest element in that direction.

/** The direction of an arrow key, in pixels. @type {Record<string, [number, number]>} */
export const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Element} element @returns {[number, number]} */
export function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/**
 * Return the nearest of `others` in that direction; null if there is none.
 * @template {Element} T
 * @param {Element} from
 * @param {T[]} others
 * @param {[number, number]} way
 * @returns {T | null}
 */
export function nearest(from, others, [right, down]) {
  const here = middle(from);
  let least = Number.POSITIVE_INFINITY;
  let found = null;
  for (const other of others) {
    const [x, y] = [middle(other)[0] - here[0], middle(other)[1] - here[1]];
    const along = x * right + y * down;
    const far = along + 2 * (Math.abs(x * down) + Math.abs(y * right));
    if (other !== from && along > 1 && far < least) [least, found] = [far, other];
  }
  return found;
}
