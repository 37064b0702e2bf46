// The REST API: JSON in, JSON out; a problem document becomes an Error.

import { say } from "./words.js";

const ATTEMPTS = 3; // attempts to fetch a document while the service is busy

/** Return the reason without the JSON Pointer at the beginning of `detail`. @param {Problem} problem */
export function reason(problem) {
  const said = problem.errors?.[0]?.message;
  return said ? said[0].toUpperCase() + said.slice(1) : problem.detail || problem.title;
}

/**
 * A response that is a problem document (RFC 9457): `problem` is the document, `status` its HTTP status, `retryAfter`
 * the ms to wait before a retry; 0 if the service gave none.
 */
export class ProblemError extends Error {
  /** @param {Problem} problem @param {number} status @param {number} retryAfter */
  constructor(problem, status, retryAfter = 0) {
    super(reason(problem) || `HTTP ${status}`);
    this.name = "ProblemError";
    this.problem = problem;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** The members to store with a rejected tap. @returns {Refusal} */
  get refusal() {
    return { ...this.problem, slug: this.slug };
  }

  /** The slug of the problem, such as "illegal-action" for "/problems/illegal-action". */
  get slug() {
    return String(this.problem.type || "").replace("/problems/", "");
  }
}

/** Return the milliseconds that a response asks to wait; 0 if it asks for none. @param {Response} response */
export function retryAfter(response) {
  return 1000 * (Number(response.headers.get("Retry-After")) || 0);
}

/** The service did not answer, so the result is unknown. Retry with the same key. */
export class Unreachable extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(say("The service does not answer. Try again in a moment."));
    this.name = "Unreachable";
    this.cause = cause;
  }
}

/** Return a new idempotency key. `crypto.randomUUID` is missing on pages served over plain HTTP. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Send a request to the service.
 * @param {string} path  such as "/v1/games"; `query` is added to it
 * @param {Asked} options
 * @returns {Promise<any>} the document of the contract (contract.d.ts); null if the body is empty
 * @throws {ProblemError} the service rejected it
 * @throws {Unreachable} the service did not answer
 */
export async function api(path, options = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(path, options);
    } catch (error) {
      // The caller of a write decides when to retry it.
      const isReading = options.body === undefined && !options.method;
      const isBusy = error instanceof ProblemError && error.slug === "overloaded";
      if (!isReading || attempt === ATTEMPTS || !isBusy) throw error;
      const { retryAfter } = error;
      await new Promise((resolve) => setTimeout(resolve, retryAfter));
    }
  }
}

/** @param {string} path @param {Asked} asked */
async function once(path, { method, query, body, type, key, version, signal }) {
  const url = new URL(path, location.href);
  for (const [name, value] of Object.entries(query || {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, value);
  }
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
  // Writes with the session cookie need this header: a form of another site cannot send it.
  if (body !== undefined || method) headers["Driftlog-Page"] = "1";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  let response;
  let text;
  try {
    response = await fetch(url, {
      method: method || (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined || typeof type === "string" ? /** @type {BodyInit} */ (body) : JSON.stringify(body),
      signal,
    });
    text = await response.text();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable(error);
  }
  const document = parseBody(text);
  if (response.ok && document !== undefined) return document;
  // A proxy or a hotel's Wi-Fi may respond with something other than JSON.
  if (document === undefined || response.status === 502 || response.status === 504) throw new Unreachable(response);
  throw new ProblemError(document || { type: "" }, response.status, retryAfter(response));
}

/**
 * Return the document in a response: null if it is empty, undefined if it is not JSON.
 * @param {string} text
 */
function parseBody(text) {
  if (text === "") return null;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/**
 * Do a dry run of appending `body`.
 * @param {string} url  of the events endpoint
 * @param {unknown} body
 * @returns {Promise<any>}
 * @throws {ProblemError} the service would reject it
 */
export async function dryRun(url, body) {
  const answer = await api(url, { query: { dry_run: true, accept_refused: true }, body });
  if (answer.stopped) throw new ProblemError(answer.stopped.problem, answer.stopped.problem.status);
  return answer;
}

const PAUSE = 300; // ms between polls

/**
 * Wait for a job and return its result.
 * @param {string} job  its id
 * @throws {Error} the job failed; the message says why
 */
export async function waitForJob(job) {
  for (;;) {
    const { status, result, error } = await api(`/v1/jobs/${job}`);
    if (status === "done") return result;
    if (status === "failed") throw new Error(error);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

// Control characters, as in engine/core/text.py; JSON escapes some of them.
const STEERING = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]";
const MAY_STEER = new RegExp(`${STEERING}|\\\\[bfu]`);
const EACH = new RegExp(STEERING, "g");

/** Parse JSON and remove invisible characters from its texts: an imported log may contain them. @param {string} text */
export function read(text) {
  /** @param {string} _ @param {unknown} value */
  const shown = (_, value) => (typeof value === "string" ? value.replace(EACH, "\ufffd") : value);
  return JSON.parse(text, MAY_STEER.test(text) ? shown : undefined);
}
