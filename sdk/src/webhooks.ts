import type { components } from "./schema.d.ts";

/** What a webhook delivers, told apart by `type`. */
export type WebhookEvent = components["schemas"]["Event"];

export type VerifyOptions = {
  /** Of the endpoint, with its prefix whsec_. Several while a secret is being rotated. */
  secret: string | readonly string[];
  /** The value of the header X-Service-Signature; another word than Service where the installation has a brand. */
  signature: string | null | undefined;
  /** How far its time may be off, in seconds. Default 300. */
  toleranceSeconds?: number;
  now?: Date;
};

export type RejectionReason = "signature_missing" | "signature_malformed" | "signature_wrong" | "timestamp_outside_tolerance";

/** A request that did not come from the service, or came too late. Answer it with 400 and do not process it. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected";
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const HEADER = /^t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)$/;
type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Verifies a delivery over the raw bytes of its body, and parses it. Throws `WebhookRejected`. */
export async function parseWebhook(body: string | Uint8Array, options: VerifyOptions): Promise<WebhookEvent> {
  const { secret, signature, toleranceSeconds = 300, now = new Date() } = options;
  if (signature === null || signature === undefined || signature === "") {
    throw new WebhookRejected("signature_missing", "The signature header is missing.");
  }
  const [, time = "", signatures = ""] = HEADER.exec(signature) ?? [];
  if (time === "") throw new WebhookRejected("signature_malformed", "The signature header must have the form t=…,v1=….");
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const signed = joined(encoder.encode(`${time}.`), bytes);
  const given = signatures.split(",v1=").slice(1).map(fromHex);
  if (!(await matchesAny(typeof secret === "string" ? [secret] : secret, signed, given))) {
    throw new WebhookRejected("signature_wrong", "No signature matches. Check the secret, and that the body is the raw bytes.");
  }
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > toleranceSeconds) {
    throw new WebhookRejected("timestamp_outside_tolerance", `The time of the signature is more than ${toleranceSeconds} s off.`);
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
}

/** `crypto.subtle.verify` compares in constant time. */
async function matchesAny(secrets: readonly string[], signed: Bytes, given: readonly Bytes[]): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
      "verify",
    ]);
    for (const one of given) {
      if (await crypto.subtle.verify("HMAC", key, one, signed)) return true;
    }
  }
  return false;
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
