/** Amounts are integers in minor units; above this a JSON number is no longer exact. */
export const CENTS_MAX = Number.MAX_SAFE_INTEGER;

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

/** An ISO 4217 code in lower case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

const BPS = 10_000n;

/** Rounds a quotient of integers, halves away from zero. The denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const half = (numerator < 0n ? -numerator * 2n + denominator : numerator * 2n + denominator) / (denominator * 2n);
  return numerator < 0n ? -half : half;
}

/** A share of an amount in basis points, rounded to the minor unit. */
export function shareOf(base_cents: number, bps: number): number {
  return Number(divideRounded(BigInt(base_cents) * BigInt(bps), BPS));
}

/** An amount times a fraction, rounded to the minor unit. */
export function fractionOf(amount_cents: number, part: number, whole: number): number {
  return Number(divideRounded(BigInt(amount_cents) * BigInt(part), BigInt(whole)));
}
