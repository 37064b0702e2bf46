// Times of day on the reader's clock.

/**
 * Convert 'HH:00' in UTC to the reader's time zone on that day.
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
 * Group things by the key that `told` returns.
 *
 * @template T
 * @param {T[]} things
 * @param {(thing: T) => string} told
 */
export function inOrder(things, told) {
  return [...things].sort((one, other) => (told(one) < told(other) ? -1 : 1));
}
