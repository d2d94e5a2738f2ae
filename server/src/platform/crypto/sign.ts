import { createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/** 128 bits, in 22 characters. */
const MAC_BYTES = 16;

export type Signer = { sign(text: string, purpose: string): string; verify(text: string, purpose: string, mac: string): boolean };

/**
 * Signs what strangers carry and bring back, with HMAC-SHA256 under SECRET_KEY. The purpose is part of what is signed, so that a
 * signature for one thing proves nothing about another.
 */
export function createSigner(secretKey: string): Signer {
  const key = createSecretKey(createHash("sha256").update("tributary sign\0").update(secretKey).digest());
  const macOf = (text: string, purpose: string) =>
    createHmac("sha256", key).update(`${purpose}\0${text}`).digest().subarray(0, MAC_BYTES);
  return {
    sign: (text, purpose) => macOf(text, purpose).toString("base64url"),
    verify(text, purpose, mac) {
      const given = Buffer.from(mac, "base64url");
      return given.toString("base64url") === mac && given.length === MAC_BYTES && timingSafeEqual(given, macOf(text, purpose));
    },
  };
}
