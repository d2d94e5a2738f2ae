import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  ownSignature,
  secretBytes,
  signatureHeaderName,
  standardSignature,
  TOLERANCE_SECONDS,
} from "../../../../platform/crypto/webhook-signature.ts";

/** Everything that can be wrong with a signature, and what to do about it. */
export const CAUSES = {
  header_missing: "None of the signature's headers is there. A proxy may have taken it away, or it was not passed on.",
  header_malformed: "The signature header cannot be read. It must arrive whole: t=<seconds>,v1=<64 hex digits>.",
  clock_skew:
    "The signature fits, but its time is more than 300 seconds from the receiver's. Set the receiver's clock, and verify at once.",
  other_endpoint:
    "The signature was made with the secret of another endpoint. Use the secret of the endpoint that it was sent to.",
  old_secret: "The signature was made with a secret that has ended. Use the endpoint's newest secret.",
  secret_decoded: "The secret was decoded from base64. For this header the key is the whole text, whsec_ included.",
  secret_without_prefix: "The secret was used without whsec_. The key is the whole text, whsec_ included.",
  timestamp_left_out: "Only the body was signed. What is signed is the time, a full stop, and the body.",
  trailing_newline: "White space was added at the end of the body, or taken away. Verify the bytes that arrived.",
  changed_encoding:
    "The body was read in another encoding than UTF-8, or given a byte order mark. Verify the bytes that arrived.",
  reserialised_json: "The body is the same JSON in other bytes. Verify the bytes that arrived, before parsing.",
  body_changed: "The body is not the one that was sent for this event.",
  unknown_signature: "No secret of these endpoints makes this signature of this body. It may come from somebody else.",
} as const;

export type Cause = keyof typeof CAUSES;

export type KnownSecret = { endpoint_id: string; secret: string; hint: string; created_at: Date; expires_at: Date | null };

export type Arrived = {
  brand: string;
  body: Buffer;
  headers: Record<string, string>;
  /** What the receiver's own code came to. */
  computed: string | null;
  received_at: Date;
  now: Date;
  /** The endpoint that it is said to have been sent to; null for any of those whose secrets are known. */
  endpoint_id: string | null;
  secrets: readonly KnownSecret[];
  /** The event as it was sent, where its id says which it is. */
  sent: Buffer | null;
};

export type Diagnosis = { cause: Cause | null; secret: KnownSecret | null; at_seconds: number | null };

type Signature = { at_seconds: number; own: string[]; standard: { id: string; signatures: string[] } | null };

/** Finds out whether a signature is good and, if it is not, how it came to be as it is. */
export function diagnose(arrived: Arrived): Diagnosis {
  const read = readSignature(arrived.headers, arrived.brand);
  if (typeof read === "string") return { cause: read, secret: null, at_seconds: null };
  const { at_seconds } = read;
  const found = findMaking(arrived, read);
  if (found === null) return { cause: "unknown_signature", secret: null, at_seconds };
  return {
    cause: found.cause ?? secretCause(arrived, found.secret) ?? timeCause(arrived, at_seconds),
    secret: found.secret,
    at_seconds,
  };
}

function readSignature(given: Record<string, string>, brand: string): Signature | "header_missing" | "header_malformed" {
  const headers = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const own = headers.get(signatureHeaderName(brand).toLowerCase());
  if (own !== undefined) {
    const parts = own.split(",").map((part) => /^(t|v1)=(.*)$/.exec(part.trim()));
    const valuesOf = (name: string) => parts.filter((part) => part?.[1] === name).map((part) => part?.[2] ?? "");
    const [time = "", ...more] = valuesOf("t");
    const signatures = valuesOf("v1");
    const fits = /^\d{1,12}$/.test(time) && more.length === 0 && signatures.length > 0 && signatures.every(isHex);
    return fits ? { at_seconds: Number(time), own: signatures, standard: null } : "header_malformed";
  }
  const [id, time, all] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers.get(name));
  if (id === undefined || time === undefined || all === undefined) return "header_missing";
  const signatures = all.split(" ").map((part) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part)?.[1]);
  if (!/^\d{1,12}$/.test(time) || signatures.includes(undefined)) return "header_malformed";
  return { at_seconds: Number(time), own: [], standard: { id, signatures: signatures.map(String) } };
}

const isHex = (text: string) => /^[0-9a-f]{64}$/i.test(text);

type Making = { cause: Cause | null; secret: KnownSecret };

/**
 * The first way of signing that gives one of the signatures: the right way first, then the mistakes that people make. With
 * secrets that have ended only the right way is tried, because there can be hundreds of them.
 */
function findMaking(arrived: Arrived, read: Signature): Making | null {
  const wanted = new Set((arrived.computed === null ? read.own : [hexOf(arrived.computed)]).map((text) => text.toLowerCase()));
  const secrets = ownFirst(arrived);
  const live = secrets.filter(({ expires_at }) => expires_at === null || expires_at > arrived.now);
  for (const [cause, body] of bodiesOf(arrived)) {
    for (const secret of body === arrived.body ? secrets : live) {
      if (standardFits(read, secret, body, arrived.computed)) return { cause, secret };
      const ways = ownWays(secret.secret, read.at_seconds, body);
      const way = ways.slice(0, live.includes(secret) ? ways.length : 1).find(([, sign]) => wanted.has(sign()));
      if (way !== undefined) return { cause: way[0] ?? cause, secret };
    }
  }
  return null;
}

function standardFits(
  { standard, at_seconds }: Signature,
  { secret }: KnownSecret,
  body: Buffer,
  computed: string | null,
): boolean {
  if (standard === null) return false;
  const right = standardSignature(secret, standard.id, at_seconds, body);
  return computed === null ? standard.signatures.includes(right) : hexOf(computed) === hexOf(right);
}

function ownWays(secret: string, at_seconds: number, body: Buffer): [Cause | null, () => string][] {
  const bare = secret.replace(/^whsec_/, "");
  return [
    [null, () => ownSignature(secret, at_seconds, body)],
    ["secret_decoded", () => ownSignature(secretBytes(secret), at_seconds, body)],
    ["secret_without_prefix", () => ownSignature(bare, at_seconds, body)],
    ["timestamp_left_out", () => bodySignature(secret, body)],
  ];
}

function hexOf(signature: string): string {
  return isHex(signature) ? signature.toLowerCase() : Buffer.from(signature, "base64").toString("hex");
}

/** Secrets of the endpoint in question before all others, so that a name is given to what is its own. */
function ownFirst({ secrets, endpoint_id }: Arrived): KnownSecret[] {
  const [own, others] = [true, false].map((is) => secrets.filter((secret) => (secret.endpoint_id === endpoint_id) === is));
  return [...(own ?? []), ...(others ?? [])];
}

/** The body as it arrived and, in turn, as it may have been when it was signed, each once. */
export function bodiesOf({ body, sent }: Pick<Arrived, "body" | "sent">): [Cause | null, Buffer][] {
  const text = body.toString("utf8");
  const bodies: [Cause | null, Buffer][] = [[null, body]];
  if (sent !== null && !sent.equals(body)) bodies.push([differenceOf(body, sent), sent]);
  bodies.push(["trailing_newline", Buffer.from(text.trimEnd())]);
  bodies.push(["trailing_newline", Buffer.from(`${text}\n`)]);
  bodies.push(["changed_encoding", withoutMark(body)]);
  bodies.push(["changed_encoding", Buffer.from(text, "latin1")]);
  bodies.push(["reserialised_json", Buffer.from(reserialised(text) ?? text)]);
  return bodies.filter(([, one], index) => bodies.findIndex(([, other]) => other.equals(one)) === index);
}

/** How a body that arrived differs from the one that was sent. */
function differenceOf(body: Buffer, sent: Buffer): Cause {
  const text = body.toString("utf8");
  if (text.trimEnd() === sent.toString("utf8").trimEnd()) return "trailing_newline";
  if (withoutMark(body).equals(sent) || Buffer.from(text, "latin1").equals(sent)) return "changed_encoding";
  if (body.toString("latin1") === sent.toString("utf8")) return "changed_encoding";
  return isDeepStrictEqual(parsed(text), parsed(sent.toString("utf8"))) ? "reserialised_json" : "body_changed";
}

function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)) ? body.subarray(3) : body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As the service writes JSON, for a body that only lost its form on the way. */
function reserialised(text: string): string | null {
  const value = parsed(text);
  return value === undefined ? null : JSON.stringify(value);
}

function secretCause({ endpoint_id, received_at }: Arrived, secret: KnownSecret): Cause | null {
  if (endpoint_id !== null && secret.endpoint_id !== endpoint_id) return "other_endpoint";
  return secret.expires_at !== null && secret.expires_at <= received_at ? "old_secret" : null;
}

function timeCause({ received_at }: Arrived, at_seconds: number): Cause | null {
  return Math.abs(received_at.getTime() / 1000 - at_seconds) > TOLERANCE_SECONDS ? "clock_skew" : null;
}

/** HMAC over the body alone, as who forgets the time makes it. */
function bodySignature(secret: string, body: Buffer): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
