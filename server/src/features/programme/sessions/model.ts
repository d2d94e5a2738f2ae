import { hash, randomBytes } from "node:crypto";

const HOUR_MS = 3_600_000;

/** A session ends when it was not used for this long, */
export const IDLE_MS = 12 * HOUR_MS;
/** and this long after the sign-in in any case. */
export const LIFE_MS = 7 * 24 * HOUR_MS;

/** A new secret for a cookie or a link: 256 random bits in 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash. A slow hash would add nothing to 256 bits of entropy. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** Not seen since before this instant: the session has ended by itself. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}
