import type { components } from "./schema.d.ts";

/** A problem document (RFC 9457), as every error of the API is one. */
export type Problem = components["schemas"]["Problem"];
export type ProblemCode = Problem["code"];

/** A request that the API refused. Its message is the title of the problem and what is wrong with each field, or its detail. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** A code of the closed list in the reference. */
  readonly code: ProblemCode;
  /** What is wrong with each field or parameter. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** To quote to whoever runs the service. */
  readonly request_id: string;
  /** The whole document, with the members that only some codes have. */
  readonly problem: Problem & Record<string, unknown>;
  readonly response: Response;

  constructor(problem: Problem & Record<string, unknown>, response: Response) {
    const faults = problem.errors?.map(({ detail }) => detail) ?? [];
    super([problem.title, ...(faults.length > 0 ? faults : [problem.detail])].join(" ").trim());
    this.status = response.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.request_id = problem.request_id;
    this.problem = problem;
    this.response = response;
  }
}

/** A reply that is no problem document, such as an error page of a proxy. */
export class UnexpectedReply extends Error {
  override readonly name = "UnexpectedReply";
  readonly status: number;
  readonly response: Response;

  constructor(response: Response, text: string) {
    super(`The reply ${response.status} is not from the API: ${text.slice(0, 200)}`);
    this.status = response.status;
    this.response = response;
  }
}

export async function errorOf(response: Response): Promise<ApiError | UnexpectedReply> {
  const text = await response.text();
  const problem = problemOrNull(text);
  return problem === null ? new UnexpectedReply(response, text) : new ApiError(problem, response);
}

function problemOrNull(text: string): (Problem & Record<string, unknown>) | null {
  try {
    const document = JSON.parse(text) as Record<string, unknown>;
    return typeof document.code === "string" && typeof document.title === "string"
      ? (document as Problem & Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
