import { createHmac } from "node:crypto";

/** Tells whether two installations have the same SECRET_KEY, without telling what it is. */
export function keyFingerprint(secret_key: string): string {
  return createHmac("sha256", secret_key).update("tributary backup fingerprint").digest("hex").slice(0, 32);
}
