import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  ownSignature,
  secretBytes,
  signatureHeaderName,
  standardSignature,
  TOLERANCE_SECONDS,
} from "../../../../platform/crypto/webhook-signature.ts";

/** The causes of an invalid signature, each with its remedy. */
export const CAUSES = {
  header_missing: "No signature header was received. A proxy may have removed it, or it was not forwarded.",
  header_malformed: "The signature header cannot be parsed. Expected: t=<seconds>,v1=<64 hex digits>.",
  clock_skew:
    "The signature is valid, but its timestamp differs from the receiver's clock by more than 300 seconds. Synchronise the clock, and verify on receipt.",
  other_endpoint:
    "The signature was created with the secret of another endpoint. Use the secret of the endpoint that received it.",
  old_secret: "The signature was created with an expired secret. Use the endpoint's newest secret.",
  secret_decoded: "The secret was decoded from base64. For this header the key is the whole text, including whsec_.",
  secret_without_prefix: "The secret was used without whsec_. The key is the whole text, including whsec_.",
  timestamp_left_out: "Only the body was signed. Sign the timestamp, a full stop, and the body.",
  trailing_newline: "Whitespace at the end of the body was added or removed. Verify the raw bytes of the request.",
  changed_encoding:
    "The body was decoded with another encoding than UTF-8, or a byte order mark was added. Verify the raw bytes of the request.",
  reserialised_json: "The body was parsed and serialised again. Verify the raw bytes of the request, before parsing.",
  body_changed: "The body differs from the one that was sent for this event.",
  unknown_signature: "No secret of these endpoints creates this signature for this body. The request may be forged.",
} as const;

export type Cause = keyof typeof CAUSES;

export type KnownSecret = { endpoint_id: string; secret: string; hint: string; created_at: Date; expires_at: Date | null };

export type Arrived = {
  brand: string;
  body: Buffer;
  headers: Record<string, string>;
  /** The signature that the receiver's own code computed. */
  computed: string | null;
  received_at: Date;
  now: Date;
  /** The endpoint that received it; null for any endpoint in secrets. */
  endpoint_id: string | null;
  secrets: readonly KnownSecret[];
  /** The event as it was sent, if its id is known. */
  sent: Buffer | null;
};

export type Diagnosis = { cause: Cause | null; secret: KnownSecret | null; at_seconds: number | null };

type Signature = { at_seconds: number; own: string[]; standard: { id: string; signatures: string[] } | null };

/** Verifies a signature and, if it is invalid, finds the cause. */
export function diagnose(arrived: Arrived): Diagnosis {
  const read = readSignature(arrived.headers, arrived.brand);
  if (typeof read === "string") return { cause: read, secret: null, at_seconds: null };
  const { at_seconds } = read;
  const found = findComputation(arrived, read);
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

type Computation = { cause: Cause | null; secret: KnownSecret };

/**
 * The first computation that yields one of the signatures: the correct one first, then the common mistakes. For expired
 * secrets only the correct one is tried, because there can be hundreds of them.
 */
function findComputation(arrived: Arrived, read: Signature): Computation | null {
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

/** The secrets of the endpoint in question first, so that a match is attributed to it. */
function ownFirst({ secrets, endpoint_id }: Arrived): KnownSecret[] {
  const [own, others] = [true, false].map((is) => secrets.filter((secret) => (secret.endpoint_id === endpoint_id) === is));
  return [...(own ?? []), ...(others ?? [])];
}

/** The body as received, then the forms that it may have had when it was signed, without duplicates. */
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

/** The difference between the received body and the sent one. */
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

/** The JSON as the service serialises it. */
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

/** HMAC over the body without the timestamp, a common mistake. */
function bodySignature(secret: string, body: Buffer): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
