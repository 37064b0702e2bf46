// The REST API: JSON in, JSON out; a problem document becomes an Error.

/** An answer that is a problem document (RFC 9457): `problem` is the document, `status` its HTTP status. */
export class ProblemError extends Error {
  constructor(problem, status) {
    super(problem.detail || problem.title || `HTTP ${status}`);
    this.name = "ProblemError";
    this.problem = problem;
    this.status = status;
  }

  /** The problem's name: "illegal-action" of "/problems/illegal-action". */
  get slug() {
    return String(this.problem.type || "").replace("/problems/", "");
  }
}

/** The service did not answer: nobody knows whether it was done. Ask again with the same key. */
export class Unreachable extends Error {
  constructor(cause) {
    super("The service does not answer.");
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
 * @param {{method?: string, query?: object, body?: any, key?: string, version?: number, signal?: AbortSignal}} options
 *   `key` is the idempotency key, `version` the one that is wanted (If-Match)
 * @returns {Promise<any>} the document; null where there is none
 * @throws {ProblemError} it was refused
 * @throws {Unreachable} it was not answered
 */
export async function api(path, { method, query, body, key, version, signal } = {}) {
  const url = new URL(path, location.href);
  for (const [name, value] of Object.entries(query || {})) {
    if (value !== undefined && value !== null && value !== "") url.searchParams.set(name, value);
  }
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  if (version !== undefined) headers["If-Match"] = `"${version}"`;
  let response;
  let text;
  try {
    response = await fetch(url, {
      method: method || (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    });
    text = await response.text();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable(error);
  }
  const document = parsed(text);
  if (response.ok && document !== undefined) return document;
  // What stands between us and the service (a proxy, a hotel's Wi-Fi) does not speak in problem documents.
  if (document === undefined || response.status === 502 || response.status === 504) throw new Unreachable(response);
  throw new ProblemError(document || {}, response.status);
}

function parsed(text) {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
