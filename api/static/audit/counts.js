// Counts in words, up to ten.

import { say } from "../words.js";

const WORDS = [
  say("no"),
  say("one"),
  say("two"),
  say("three"),
  say("four"),
  say("five"),
  say("six"),
  say("seven"),
  say("eight"),
  say("nine"),
  say("ten"),
];

/** Return a number in words up to ten, in digits above. @param {number} count */
export function inWords(count) {
  return WORDS[count] ?? String(count);
}
