import { createHmac } from "node:crypto";

/** A fingerprint to compare the SECRET_KEYs of two installations without revealing them. */
export function keyFingerprint(secret_key: string): string {
  return createHmac("sha256", secret_key).update("tributary backup fingerprint").digest("hex").slice(0, 32);
}
