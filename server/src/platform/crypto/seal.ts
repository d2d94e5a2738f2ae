import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;
const VERSION = 1;

export type Sealer = { seal(text: string, purpose: string): Buffer; open(sealed: Buffer, purpose: string): string };

/**
 * Encrypts secrets that must be readable again, with AES-256-GCM under SECRET_KEY. The purpose is authenticated as
 * additional data, so a sealed value cannot be moved to another row or column and opened there.
 */
export function createSealer(secretKey: string): Sealer {
  const key = createHash("sha256").update("tributary seal\0").update(secretKey).digest();
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_LENGTH);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, purpose) {
      if (sealed[0] !== VERSION) throw new Error("sealed with an unknown version");
      const nonce = sealed.subarray(1, 1 + NONCE_LENGTH);
      const tag = sealed.subarray(1 + NONCE_LENGTH, 1 + NONCE_LENGTH + TAG_LENGTH);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_LENGTH });
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
      const text = decipher.update(sealed.subarray(1 + NONCE_LENGTH + TAG_LENGTH));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    },
  };
}
