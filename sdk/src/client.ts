import createFetchClient, { type FetchResponse, type MaybeOptionalInit } from "openapi-fetch";
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from "openapi-typescript-helpers";
import { type Items, iterate, type ListPath } from "./pages.ts";
import { errorOf } from "./problem.ts";
import { retrying } from "./retry.ts";
import type { paths } from "./schema.d.ts";

export type ClientOptions = {
  /** Where the service is, such as https://partners.example.com. */
  baseUrl: string;
  /** Sent as a bearer token. Without one the caller authenticates by other means, such as a cookie. */
  apiKey?: string;
  /** How often a request is sent again at most, where that is safe. Default 3. */
  retries?: number;
  /** The longest wait between two attempts. Default 30 seconds. */
  waitMaxMs?: number;
  /** The time of one attempt. Default 60 seconds. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  fetch?: typeof fetch;
};

/** Replies are JSON, and errors are problem documents. */
type Media = "application/json" | "application/problem+json";

/** Required where the path, the query or the body is. */
type InitParam<Init> = RequiredKeysOf<Init> extends never ? [Init?] : [Init];

type Method<Verb extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Verb>,
  Init extends MaybeOptionalInit<paths[Path], Verb>,
>(
  path: Path,
  ...init: InitParam<Init>
) => Promise<{ data: DataOf<Path, Verb, Init>; response: Response }>;

type DataOf<Path extends keyof paths, Verb extends HttpMethod, Init> = NonNullable<
  FetchResponse<paths[Path][Verb & keyof paths[Path]] & Record<string, unknown>, Init, Media>["data"]
>;

/** The API, by path. Whatever is not a success is thrown as an `ApiError`. */
export type Client = {
  GET: Method<"get">;
  POST: Method<"post">;
  PUT: Method<"put">;
  PATCH: Method<"patch">;
  DELETE: Method<"delete">;
  /** Every item of a list, or of a feed up to its present end; the next page is requested when it is reached. */
  list<Path extends ListPath, Init extends MaybeOptionalInit<paths[Path], "get">>(
    path: Path,
    ...init: InitParam<Init>
  ): Items<Path>;
};

const VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function createClient({
  baseUrl,
  apiKey,
  retries = 3,
  waitMaxMs = 30_000,
  timeoutMs = 60_000,
  headers = {},
  fetch: send = globalThis.fetch,
}: ClientOptions): Client {
  const limited: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    return send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }));
  };
  const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const raw = createFetchClient<paths, Media>({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    fetch: retrying(limited, { retries, waitMaxMs }),
    headers: { ...authorization, ...headers },
  });
  raw.use({
    onRequest({ request }) {
      if (request.method === "POST" && !request.headers.has("idempotency-key")) {
        request.headers.set("idempotency-key", crypto.randomUUID());
      }
      return request;
    },
    async onResponse({ response }) {
      if (!response.ok) throw await errorOf(response);
    },
  });
  const methods = Object.fromEntries(VERBS.map((verb) => [verb, raw[verb]])) as unknown as Omit<Client, "list">;
  const client: Client = { ...methods, list: ((path: ListPath, init?: object) => iterate(client, path, init)) as Client["list"] };
  return client;
}
