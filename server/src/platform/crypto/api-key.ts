import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "trb_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORM = /^trb_[0-9A-Za-z]{38}$/;

/** A new secret: 190 random bits and a checksum, so that a typo is detected without a query. */
export function newApiKey(): string {
  let secret = "";
  for (let index = 0; index < SECRET_LENGTH; index += 1) secret += ALPHABET[randomInt(ALPHABET.length)];
  return PREFIX + secret + checksum(secret);
}

/** Whether the key has the right format and checksum; it need not exist. */
export function isWellFormedApiKey(key: string): boolean {
  if (!FORM.test(key)) return false;
  const secret = key.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH);
  return key.slice(PREFIX.length + SECRET_LENGTH) === checksum(secret);
}

/** The stored hash. A slow hash would add nothing to 190 bits of entropy. */
export function hashApiKey(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

export function apiKeyHint(key: string): string {
  return key.slice(-4);
}

function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = "";
  for (let index = 0; index < CHECK_LENGTH; index += 1) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
