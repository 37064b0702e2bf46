// The REST API: JSON in, JSON out; a problem document becomes an Error.

import { say } from "./words.js";

const ATTEMPTS = 3; // how often a document is asked for that the service has no time for

/**
 * An answer that is a problem document (RFC 9457): `problem` is the document, `status` its HTTP status, `retryAfter` the
 * ms after which the same may be asked again; 0 where that was not said.
 */
export class ProblemError extends Error {
  /** @param {Problem} problem @param {number} status @param {number} retryAfter */
  constructor(problem, status, retryAfter = 0) {
    super(problem.detail || problem.title || `HTTP ${status}`);
    this.name = "ProblemError";
    this.problem = problem;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** What to keep of it with what was refused. @returns {Refusal} */
  get refusal() {
    return { ...this.problem, slug: this.slug };
  }

  /** The problem's name: "illegal-action" of "/problems/illegal-action". */
  get slug() {
    return String(this.problem.type || "").replace("/problems/", "");
  }
}

/** The ms that an answer asks to wait for; 0 where it does not. @param {Response} response */
export function retryAfter(response) {
  return 1000 * (Number(response.headers.get("Retry-After")) || 0);
}

/** The service did not answer: nobody knows whether it was done. Ask again with the same key. */
export class Unreachable extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(say("The service does not answer."));
    this.name = "Unreachable";
    this.cause = cause;
  }
}

/** A new idempotency key. `crypto.randomUUID` is not there where the page came over plain HTTP from a table's Wi-Fi. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Ask the service.
 * @param {string} path  such as "/v1/games"; `query` is added to it
 * @param {Asked} options
 * @returns {Promise<any>} the document of the contract (contract.d.ts); null where there is none
 * @throws {ProblemError} it was refused
 * @throws {Unreachable} it was not answered
 */
export async function api(path, options = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(path, options);
    } catch (error) {
      // Who sends something decides for himself when to send it again.
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
  // What writes by the session's cookie has to bring it: no form of another site can.
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
  const document = parsed(text);
  if (response.ok && document !== undefined) return document;
  // What stands between us and the service (a proxy, a hotel's Wi-Fi) does not speak in problem documents.
  if (document === undefined || response.status === 502 || response.status === 504) throw new Unreachable(response);
  throw new ProblemError(document || { type: "" }, response.status, retryAfter(response));
}

/**
 * The document of an answer: null where it is empty, undefined where it is no JSON.
 * @param {string} text
 */
function parsed(text) {
  if (text === "") return null;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/**
 * What would come of appending `body`, which is not appended.
 * @param {string} url  where events are appended
 * @param {unknown} body
 * @returns {Promise<any>}
 * @throws {ProblemError} it would be refused
 */
export async function tried(url, body) {
  const answer = await api(url, { query: { dry_run: true, accept_refused: true }, body });
  if (answer.stopped) throw new ProblemError(answer.stopped.problem, answer.stopped.problem.status);
  return answer;
}

const PAUSE = 300; // ms between questions

/**
 * What came of long work, once it is done.
 * @param {string} job  its id
 * @throws {Error} it failed; the message says why
 */
export async function finished(job) {
  for (;;) {
    const { status, result, error } = await api(`/v1/jobs/${job}`);
    if (status === "done") return result;
    if (status === "failed") throw new Error(error);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

// As engine/core/text.py has it: what would steer the page, instead of being shown. In JSON some of it is escaped.
const STEERING = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]";
const MAY_STEER = new RegExp(`${STEERING}|\\\\[bfu]`);
const EACH = new RegExp(STEERING, "g");

/** A JSON document whose texts can be shown: a log from elsewhere may hold what is not seen. @param {string} text */
export function read(text) {
  /** @param {string} _ @param {unknown} value */
  const shown = (_, value) => (typeof value === "string" ? value.replace(EACH, "\ufffd") : value);
  return JSON.parse(text, MAY_STEER.test(text) ? shown : undefined);
}
