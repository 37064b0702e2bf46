// Times of day on the reader's clock.

/**
 * 'HH:00' in UTC as the clock here shows it today.
 *
 * @param {string} hour
 * @param {Date} day
 */
export function localHour(hour, day) {
  const moment = new Date(day);
  moment.setUTCHours(Number.parseInt(hour, 10), 0, 0, 0);
  return [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * By what is told of each.
 *
 * @template T
 * @param {T[]} things
 * @param {(thing: T) => string} told
 */
export function inOrder(things, told) {
  return [...things].sort((one, other) => (told(one) < told(other) ? -1 : 1));
}
