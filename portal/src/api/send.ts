import { pass } from "./gate.ts";

const TIMEOUT_MS = 60_000;

const once = (request: Request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)]) });

/** The code of a problem, without reading the body of the reply itself. */
async function codeOf(response: Response): Promise<string | undefined> {
  const problem = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { code?: string };
  return problem.code;
}

/**
 * Sends a request. If the session has ended, or the password is asked for once more, the person at the screen is asked over the
 * page, and the request is sent again: work in progress is kept.
 */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  for (;;) {
    const response = await once(request.clone());
    const ask =
      response.status === 401
        ? "sign-in"
        : response.status === 403 && (await codeOf(response)) === "reauthentication_required"
          ? "confirm"
          : null;
    if (ask === null || !(await pass(ask))) return response;
  }
}
