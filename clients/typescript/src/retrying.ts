// Retry requests that are safe to repeat, or that the service did not process.
import { type Problem, problemOf, Unreachable } from "./problems.js";

export type Fetch = (request: Request) => Promise<Response>;

/** Milliseconds before the second attempt; they double before each further attempt, up to the maximum. */
const SHORTEST = 100;
const LONGEST = 5_000;
/** Problems that guarantee that the service did nothing. */
const NOTHING_DONE = new Set(["overloaded", "too-many-requests"]);
/** The statuses that proxies send if they get no answer. */
const BETWEEN = new Set([502, 504]);

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * A `fetch` that retries for this many seconds, returns successes, and throws on a rejection.
 *
 * Reads and requests with an `Idempotency-Key` are retried if there was no answer or the service sent `Retry-After`;
 * other requests only if nothing was done.
 */
export function retrying(fetch: Fetch, patience: number): Fetch {
  return async (request) => {
    const ends = Date.now() + 1000 * patience;
    const isRepeatable = request.method === "GET" || request.headers.has("Idempotency-Key");
    for (let longest = SHORTEST; ; longest = Math.min(2 * longest, LONGEST)) {
      const failed = await attempt(fetch, request);
      if (failed instanceof Response) return failed;
      const milliseconds = wait(failed, isRepeatable, longest);
      if (milliseconds === undefined || Date.now() + milliseconds > ends) throw failed;
      await pause(milliseconds);
    }
  };
}

async function attempt(fetch: Fetch, request: Request): Promise<Response | Problem | Unreachable> {
  try {
    const response = await fetch(request.clone());
    return response.ok ? response : await problemOf(response);
  } catch (error) {
    if (request.signal.aborted) throw error;
    return new Unreachable(`${request.method} ${request.url}: ${error}`, { cause: error });
  }
}

/** Milliseconds to wait before a retry; undefined if there is none. */
function wait(failed: Problem | Unreachable, isRepeatable: boolean, longest: number): number | undefined {
  const backoff = (longest / 2) * (1 + Math.random());
  if (failed instanceof Unreachable) return isRepeatable ? backoff : undefined;
  if (!isRepeatable && !NOTHING_DONE.has(failed.slug)) return undefined;
  if (failed.retryAfter !== undefined) return 1000 * failed.retryAfter;
  return BETWEEN.has(failed.status) ? backoff : undefined;
}
