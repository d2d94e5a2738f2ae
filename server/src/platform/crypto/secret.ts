import { hash, randomBytes } from "node:crypto";

/** A new secret for a cookie or a link: 256 random bits in 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored hash. A slow hash would add nothing to 256 bits of entropy. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
