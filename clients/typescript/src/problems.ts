// What goes wrong: the service refuses (Problem), is not there (Unreachable), or long work fails (JobFailed).
import type { components } from "./contract.js";

export type ProblemDocument = components["schemas"]["Problem"];

/** The service refuses. `document.type` says why, and answers GET with an explanation. */
export class Problem extends Error {
  readonly document: ProblemDocument;
  /** Seconds after which to ask again, if the service says. */
  readonly retryAfter: number | undefined;

  constructor(document: ProblemDocument, retryAfter?: number) {
    super(`${document.title}: ${document.detail}`);
    this.name = "Problem";
    this.document = document;
    this.retryAfter = retryAfter;
  }

  /** Such as `illegal-action`. */
  get slug(): string {
    return this.document.type.slice(this.document.type.lastIndexOf("/") + 1);
  }

  get status(): number {
    return this.document.status;
  }
}

/** There was no answer, however often it was asked for. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Long work failed. */
export class JobFailed extends Error {
  override readonly name = "JobFailed";
}

/** The problem that an answer tells; of what stands in between and knows no problems, its status. */
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
