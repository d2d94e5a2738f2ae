/** Amounts are whole minor units; past this a JSON number would no longer be exact. */
export const CENTS_MAX = Number.MAX_SAFE_INTEGER;

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

/** An ISO 4217 code in lower case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
