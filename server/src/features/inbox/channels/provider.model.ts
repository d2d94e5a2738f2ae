import { timingSafeEqual } from "node:crypto";
import { readRetryAfterMs } from "../../../platform/delivery/backoff.ts";
import type { Exchange, HttpSender } from "../../../platform/net/http-sender.ts";
import type { Check, Net, Sent } from "./adapter.ts";

/** A call may take less than the lease of a message that is being sent. */
const TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_BYTES = 64 * 1024;
const DETAIL_LENGTH_MAX = 300;

export type FailureClass = Exclude<Sent["result"], "accepted">;

/** What a provider's own codes mean. */
export type Codes = Readonly<Record<string, FailureClass>>;

/** The code and the words of a provider's refusal. */
export type Refused = { code: string | null; detail: string | null };

type Call = { url: string; headers: Record<string, string>; body?: string };

/** Calls a provider: a POST with a body, a GET without. */
export function call(http: HttpSender, { url, headers, body }: Call): Promise<Exchange> {
  const bytes = Buffer.from(body ?? "");
  return http.send({
    method: body === undefined ? "GET" : "POST",
    url: new URL(url),
    headers: { ...headers, ...(body === undefined ? {} : { "content-length": String(bytes.length) }) },
    body: bytes,
    timeout_ms: TIMEOUT_MS,
    connect_timeout_ms: CONNECT_TIMEOUT_MS,
    keep_bytes: KEEP_BYTES,
  });
}

const MEDIA_TIMEOUT_MS = 8_000;
const REDIRECTS_MAX = 3;

/** Fetches a file. Secrets in the headers go to the origin of the address alone, and not to where it redirects. */
export async function loadFile(
  http: HttpSender,
  { url, headers, bytes_max }: Omit<Call, "body"> & { bytes_max: number },
): Promise<Buffer | null> {
  const limits = { timeout_ms: MEDIA_TIMEOUT_MS, connect_timeout_ms: CONNECT_TIMEOUT_MS, bytes_max };
  let place = new URL(url);
  const { origin } = place;
  for (let hops = 0; hops <= REDIRECTS_MAX; hops += 1) {
    const loaded = await http.load({ url: place, headers: place.origin === origin ? headers : {}, ...limits });
    const leads = (loaded.status ?? 0) >= 300 && (loaded.status ?? 0) <= 399;
    if (!leads || loaded.location === null || !URL.canParse(loaded.location, place.href)) return loaded.bytes;
    place = new URL(loaded.location, place);
  }
  return null;
}

export function succeeded({ status }: Exchange): boolean {
  return status !== null && status >= 200 && status <= 299;
}

const PASSING_STATUSES = new Set([408, 425, 429]);

/** What a status of HTTP means where the provider gives no code of its own. A redirect is a wrong address. */
function classOfStatus(status: number | null): FailureClass {
  if (status === null || status >= 500 || PASSING_STATUSES.has(status)) return "passing";
  return status === 401 || status === 403 || status < 400 ? "config" : "permanent";
}

/** The outcome of a call that did not succeed. The address of the person is not repeated: outcomes outlive its erasure. */
export function failureOf(exchange: Exchange, { code, detail }: Refused, codes: Codes, to: string, net: Net): Sent {
  const { status, error, retry_after } = exchange;
  const said = detail ?? (status === null ? (error ?? "no answer") : `the provider answered ${status}`);
  const retry_after_ms = readRetryAfterMs(retry_after, net.now().getTime());
  return {
    result: (code !== null && Object.hasOwn(codes, code) ? codes[code] : undefined) ?? classOfStatus(status),
    code: code ?? (status === null ? "no_answer" : `http_${status}`),
    detail: withoutAddress(said, to),
    ...(retry_after_ms === null ? {} : { retry_after_ms }),
  };
}

/** A provider's words without the address, also where it is written without its plus. */
export function withoutAddress(text: string, address: string): string {
  const bare = address.replace(/^\+/, "");
  const cleaned = bare.length < 5 ? text : text.replaceAll(address, "the recipient").replaceAll(bare, "the recipient");
  return cleaned.slice(0, DETAIL_LENGTH_MAX).toWellFormed();
}

/** The outcome of a test as a call of the provider shows it. */
export function checkOf(exchange: Exchange, refused: Refused, ok: string): Check {
  if (succeeded(exchange)) return { ok: true, code: null, detail: ok };
  const { status, error } = exchange;
  const said =
    refused.detail ?? (status === null ? `The provider did not answer: ${error}.` : `The provider answered ${status}.`);
  return { ok: false, code: refused.code ?? (status === null ? "no_answer" : `http_${status}`), detail: said.slice(0, 300) };
}

type Json = { readonly [member: string]: unknown };

/** A JSON object of a text; an empty one where there is none. */
export function readObject(text: string | null): Json {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return objectOf(value);
  } catch {
    return {};
  }
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** The objects of a list that a provider sends, and at most so many. */
export function objectsOf(value: unknown, max = 1_000): Json[] {
  return Array.isArray(value) ? value.slice(0, max).map(objectOf) : [];
}

/** A text that the database can store, or undefined. */
export function textOf(value: unknown, length_max = 1_000): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).toWellFormed().replaceAll("\0", "\u{fffd}").slice(0, length_max);
  return text === "" ? undefined : text;
}

/** Compares in a time that does not tell where two texts differ. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
