import { createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto";

/** 132 bits, in base64url. */
const MAC_LENGTH = 22;

export type Signer = { sign(text: string, purpose: string): string; verify(text: string, purpose: string, mac: string): boolean };

/**
 * Signs what strangers carry and bring back, with HMAC-SHA256 under SECRET_KEY. The purpose is part of what is signed, so that a
 * signature for one thing proves nothing about another.
 */
export function createSigner(secretKey: string): Signer {
  const key = createSecretKey(createHash("sha256").update("tributary sign\0").update(secretKey).digest());
  // As text: a digest as a buffer costs twice as much.
  const sign = (text: string, purpose: string) =>
    createHmac("sha256", key).update(`${purpose}\0${text}`).digest("base64url").slice(0, MAC_LENGTH);
  return {
    sign,
    verify(text, purpose, mac) {
      const given = Buffer.from(mac);
      return given.length === MAC_LENGTH && timingSafeEqual(given, Buffer.from(sign(text, purpose)));
    },
  };
}
