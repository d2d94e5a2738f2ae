import { createHmac, createSecretKey, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** The tolerated clock skew of a signature in seconds: the default of receivers' libraries. */
export const TOLERANCE_SECONDS = 300;

/** The purposes under which an endpoint's secrets and headers are sealed. */
export const secretPurpose = (endpoint_id: string) => `webhook secret ${endpoint_id}`;
export const headersPurpose = (endpoint_id: string) => `webhook headers ${endpoint_id}`;

/** A new secret: the prefix and 32 random bytes in standard base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/** The name of the branded signature header. */
export function signatureHeaderName(brand: string): string {
  return `X-${brand}-Signature`;
}

export type Signing = {
  brand: string;
  event_id: string;
  /** All live secrets, newest first. */
  secrets: readonly string[];
  body: Uint8Array;
  /** The time of this attempt, not of the event: receivers refuse old signatures. */
  at_seconds: number;
};

/**
 * The headers that authenticate a delivery, in two formats, so that receivers can use the libraries of either:
 * `X-Service-Signature: t=…,v1=<hex>[,v1=<hex>]` and the three of Standard Webhooks. During a rotation there is one
 * signature per live secret.
 */
export function signatureHeaders({ brand, event_id, secrets, body, at_seconds }: Signing): Record<string, string> {
  const own = secrets.map((secret) => `v1=${ownSignature(secret, at_seconds, body)}`);
  const standard = secrets.map((secret) => `v1,${standardSignature(secret, event_id, at_seconds, body)}`);
  return {
    [signatureHeaderName(brand)]: [`t=${at_seconds}`, ...own].join(","),
    "webhook-id": event_id,
    "webhook-timestamp": String(at_seconds),
    "webhook-signature": standard.join(" "),
  };
}

/** HMAC-SHA256 in hex over `t.body`; the key is the whole text of the secret, with its prefix. */
export function ownSignature(secret: string | Uint8Array, at_seconds: number | string, body: Uint8Array): string {
  return createHmac("sha256", secret).update(`${at_seconds}.`).update(body).digest("hex");
}

/** HMAC-SHA256 in base64 over `id.t.body`; the key is the decoded base64 after the prefix. Bytes that are no key take three times as long. */
export function standardSignature(secret: string, event_id: string, at_seconds: number | string, body: Uint8Array): string {
  const key = createSecretKey(secretBytes(secret));
  return createHmac("sha256", key).update(`${event_id}.${at_seconds}.`).update(body).digest("base64");
}

export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}
