// Errors: the service rejects a request (Problem), does not answer (Unreachable), or a job fails (JobFailed).
import type { components } from "./contract.js";

export type ProblemDocument = components["schemas"]["Problem"];

/** The service rejected the request. `document.type` is the reason; GET it for an explanation. */
export class Problem extends Error {
  readonly document: ProblemDocument;
  /** Seconds to wait before a retry, if the service gives them. */
  readonly retryAfter: number | undefined;

  constructor(document: ProblemDocument, retryAfter?: number) {
    super(`${document.title}: ${document.detail}`);
    this.name = "Problem";
    this.document = document;
    this.retryAfter = retryAfter;
  }

  /** The kind of problem, such as `illegal-action`. */
  get slug(): string {
    return this.document.type.slice(this.document.type.lastIndexOf("/") + 1);
  }

  get status(): number {
    return this.document.status;
  }
}

/** The service did not answer any attempt. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** A job failed. */
export class JobFailed extends Error {
  override readonly name = "JobFailed";
}

/** The problem in a response. If a proxy's response has none, create a problem with the status. */
export async function problemOf(response: Response): Promise<Problem> {
  const wanted = response.headers.get("Retry-After");
  const retryAfter = wanted !== null && /^\d+$/.test(wanted) ? Number(wanted) : undefined;
  const detail = `HTTP ${response.status}`;
  const other = { type: "about:blank", title: "No answer of Driftlog", status: response.status, detail };
  const told: unknown = await response.json().catch(() => null);
  return new Problem(isProblem(told) ? told : other, retryAfter);
}

function isProblem(told: unknown): told is ProblemDocument {
  return typeof told === "object" && told !== null && "type" in told && "title" in told && "detail" in told;
}
