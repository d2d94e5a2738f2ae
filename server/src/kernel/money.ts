/** Amounts are integers in minor units; above this a JSON number is no longer exact. */
export const CENTS_MAX = Number.MAX_SAFE_INTEGER;

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

/** An ISO 4217 code in lower case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
