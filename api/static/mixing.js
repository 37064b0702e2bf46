// A mixed seed: this phone commits to its share, and reveals it once all phones have committed.

import { api, ProblemError } from "./api.js";
import { keep, recall } from "./ui.js";
import { say } from "./words.js";

const PAUSE = 1500; // ms between polls of a seed

/** @typedef {{ share: string, commitment: string, commitments?: string[] }} Contribution */

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Return this phone's contribution to a seed; null if there is none. @param {string} id @returns {Contribution | null}
 */
export function contributionTo(id) {
  return recall(`seed.${id}`);
}

/**
 * Choose a share, store it, and commit to it.
 * @param {string} id
 * @throws {Error} this page has no SHA-256, which needs a secure connection
 */
export async function contribute(id) {
  if (!globalThis.crypto.subtle)
    throw new Error(
      say("Only a page on a secure connection (HTTPS) can do this. Open this page at its https address."),
    );
  const share = hex(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(share));
  const mine = contributionTo(id) ?? { share, commitment: hex(new Uint8Array(digest)) };
  // Store the share before committing to it: a lost share would end the mix.
  keep(`seed.${id}`, mine);
  await put(id, mine, {});
}

/** @param {string} id @param {Contribution} mine @param {object} body @returns {Promise<Seed>} */
function put(id, mine, body) {
  return api(`/v1/seeds/${id}/shares/${mine.commitment}`, { method: "PUT", body });
}

/**
 * Poll a seed until a game is opened with it; reveal this phone's share once all have committed.
 * @param {string} id
 * @param {(seed: Seed) => void} show  called after each poll
 * @throws {ProblemError} the seed has expired
 */
export async function follow(id, show) {
  for (;;) {
    try {
      let seed = /** @type {Seed} */ (await api(`/v1/seeds/${id}`));
      const mine = contributionTo(id);
      if (seed.status === "revealing" && mine) {
        keep(`seed.${id}`, { ...mine, commitments: seed.commitments });
        seed = await put(id, mine, { share: mine.share });
      }
      show(seed);
      if (seed.status === "used") return;
    } catch (error) {
      // Without a network, try again.
      if (error instanceof ProblemError && error.status < 500) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Return the next step of a seed, in words. @param {Seed} seed */
export function progress(seed) {
  const { shares, revealed } = seed;
  if (seed.status === "committing")
    return say("{count} of {all} phones have added a secret number.", {
      count: seed.commitments.length - 1,
      all: shares,
    });
  if (seed.status === "revealing")
    return say("{count} of {all} secret numbers are revealed. Keep this page open on every phone.", {
      count: revealed,
      all: shares,
    });
  return seed.status === "complete" ? say("The seed is mixed. The game can start.") : say("The game has started.");
}
