import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What every authenticator app assumes: SHA-1, six digits, thirty seconds (RFC 6238). */
const STEP_MS = 30_000;
const DIGITS = 6;
/** How many steps the clock of a phone may be off, either way. */
const SKEW_STEPS = 1;
const SECRET_BYTES = 20;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret, in base32 as apps take it. */
export function newTotpSecret(): string {
  return base32(randomBytes(SECRET_BYTES));
}

/** Random text of `length` letters and digits that are not mistaken for each other, five bits each. */
export function randomBase32(length: number): string {
  return base32(randomBytes(Math.ceil((length * 5) / 8))).slice(0, length);
}

/** The address that an app reads from a QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=30`;
}

/** The code of a step. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

/**
 * The step whose code this is, null for none. Only steps after `last_step` count, so that a code that was seen is not accepted again.
 */
export function matchingStep(secret: string, code: string, { now, last_step }: { now: Date; last_step: number }): number | null {
  const current = totpStep(now);
  let found: number | null = null;
  for (let step = current - SKEW_STEPS; step <= current + SKEW_STEPS; step += 1) {
    if (sameText(totpCode(secret, step), code) && step > last_step) found ??= step;
  }
  return found;
}

function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function base32(bytes: Buffer): string {
  let text = "";
  let [bits, value] = [0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31];
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const letter of text) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
  }
  return Buffer.from(bytes);
}
