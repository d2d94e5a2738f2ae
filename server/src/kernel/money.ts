/** Amounts are integers in minor units; above this a JSON number is no longer exact. */
export const CENTS_MAX = Number.MAX_SAFE_INTEGER;

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

/** An ISO 4217 code in lower case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/**
 * The digits of the minor unit by ISO 4217; two for all others. Not those of `Intl`, which are how prices are usually shown: it has
 * none for huf, whose minor unit is a hundredth.
 */
const DIGITS: Record<number, string> = {
  0: "bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf",
  3: "bhd iqd jod kwd lyd omr tnd",
};
const digitsOf = new Map(
  Object.entries(DIGITS).flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, Number(digits)] as const)),
);

/** How many decimal places the minor unit of a currency is: 2 of usd, 0 of jpy. */
export function minorDigits(currency: string): number {
  return digitsOf.get(currency) ?? 2;
}

/** An amount in minor units as an exact decimal number, such as -1234.50. */
export function decimalOf(amount_cents: number | bigint, currency: string): string {
  const digits = minorDigits(currency);
  const sign = amount_cents < 0 ? "-" : "";
  const units = String(amount_cents)
    .replace("-", "")
    .padStart(digits + 1, "0");
  return digits === 0 ? `${sign}${units}` : `${sign}${units.slice(0, -digits)}.${units.slice(-digits)}`;
}

/** An amount in minor units as people of a language write it, with all digits of the currency: $10.50, ¥1,050, KWD 1.050. */
export function amountText(amount_cents: number, currency: string, language: string): string {
  const digits = minorDigits(currency);
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(decimalOf(amount_cents, currency) as Intl.StringNumericLiteral);
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

/** A share of a price in basis points, rounded down: whoever keeps the rest keeps what is left over. */
export function shareDown(price_cents: number, bps: number): number {
  return Number((BigInt(price_cents) * BigInt(bps)) / BPS);
}

/** An amount times a fraction, rounded to the minor unit. */
export function fractionOf(amount_cents: number, part: number, whole: number): number {
  return Number(divideRounded(BigInt(amount_cents) * BigInt(part), BigInt(whole)));
}
