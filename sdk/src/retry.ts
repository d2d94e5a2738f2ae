export type RetryOptions = {
  /** How often a request is sent again at most. */
  retries: number;
  /** A longer wait that the service asks for is not waited for: the error is thrown. */
  waitMaxMs: number;
};

const FIRST_WAIT_MS = 500;
/** The service did not carry these out. 409 is one of them while an earlier attempt with the same Idempotency-Key still runs. */
const NOT_CARRIED_OUT = new Set([429, 503]);
/** Of a proxy, which does not know whether the service carried it out. */
const UNKNOWN_OUTCOME = new Set([502, 504]);

/** A fetch that sends a request again where that is safe: POST has an Idempotency-Key, and GET, PUT and DELETE are idempotent. */
export function retrying(send: typeof fetch, { retries, waitMaxMs }: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= retries;
      // A body can be read once, so each attempt but the last sends a copy.
      const outcome = await settle(send(last ? request : request.clone()));
      if (last || request.signal.aborted || !mayRepeat(request, outcome)) return result(outcome);
      const wait_ms = waitOf(outcome, attempt);
      if (wait_ms > waitMaxMs) return result(outcome);
      await sleep(wait_ms, request.signal);
    }
  };
}

type Outcome = { response: Response } | { error: unknown };

const settle = (sent: Promise<Response>): Promise<Outcome> =>
  sent.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );

function result(outcome: Outcome): Response {
  if ("error" in outcome) throw outcome.error;
  return outcome.response;
}

function mayRepeat(request: Request, outcome: Outcome): boolean {
  const repeatable = request.method === "POST" ? request.headers.has("idempotency-key") : request.method !== "PATCH";
  if ("error" in outcome) return repeatable;
  const { status, headers } = outcome.response;
  // In progress: the only conflict that says when to come back.
  if (status === 409) return headers.has("retry-after");
  return NOT_CARRIED_OUT.has(status) || (repeatable && UNKNOWN_OUTCOME.has(status));
}

/** What the service asks for, or a random part of a time that doubles, so that clients do not come back together. */
function waitOf(outcome: Outcome, attempt: number): number {
  const asked = "response" in outcome ? Number(outcome.response.headers.get("retry-after") ?? Number.NaN) : Number.NaN;
  return Number.isFinite(asked) ? asked * 1_000 : Math.random() * FIRST_WAIT_MS * 2 ** attempt;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal.addEventListener("abort", abort, { once: true });
  });
}
