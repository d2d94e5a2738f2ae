import { ERRORS } from "./error-list.ts";

export { ERRORS };

export type ErrorCode = keyof typeof ERRORS;

/** One fault of a request: its location, the rule that it violates, and what would be valid. */
export type Fault = { in: "body" | "query" | "path" | "header"; pointer: string; code: string; detail: string };

export type Explanation = {
  /** Help for the caller, without internals. Default: the first faults, or the code's remedy. */
  detail?: string;
  faults?: Fault[];
  /** Further members of the problem, such as `allowed` or `existing_id`. */
  meta?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** For the log only. */
  cause?: unknown;
};

/** The application's one error class: a refused request, with a code of the catalogue. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly explanation: Explanation;

  constructor(code: ErrorCode, explanation: Explanation = {}) {
    const detail = explanation.detail ?? sumUp(explanation.faults ?? []);
    super(detail ?? ERRORS[code][1], { cause: explanation.cause });
    this.name = "Refusal";
    this.code = code;
    this.explanation = detail === undefined ? explanation : { ...explanation, detail };
  }
}

const FAULTS_SHOWN = 3;

/** The first faults in words. */
function sumUp(faults: readonly Fault[]): string | undefined {
  const more = faults.length - FAULTS_SHOWN;
  const shown = faults.slice(0, FAULTS_SHOWN).map(({ detail }) => detail);
  return faults.length === 0 ? undefined : [...shown, ...(more > 0 ? [`${more} more: see errors.`] : [])].join(" ");
}

export function fail(code: ErrorCode, explanation?: Explanation): never {
  throw new Refusal(code, explanation);
}

/** Does a part of a command whose input is one member of the body: its faults then point into that member. */
export async function within<T>(member: string, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    if (!(error instanceof Refusal) || error.explanation.faults === undefined) throw error;
    const faults = error.explanation.faults.map((fault) =>
      fault.in === "body" ? { ...fault, pointer: fault.pointer.replace("#", `#/${member}`) } : fault,
    );
    throw new Refusal(error.code, { ...error.explanation, faults });
  }
}

/** The same error for an id that does not exist and for one of another tenant: the two must not differ. */
export function notFound(id: string, hint = ""): never {
  const detail = id.trim() === "" ? "The path has no id." : `${id.slice(0, 64).toWellFormed()} was not found.`;
  fail("not_found", { detail: detail + hint });
}
