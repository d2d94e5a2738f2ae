import { minorDigits } from "../../../kernel/money.ts";

/**
 * The amount in minor units that somebody has typed, with a point or a comma before the decimals; null if it could be read in two
 * ways, or not at all. 1,000 is refused where there are two decimals: it may be a thousand or one.
 */
export function typedAmount(text: string, currency: string): number | null {
  const [, whole = "", , decimals = ""] = /^\s*(\d{1,12})([.,](\d{1,4}))?\s*$/.exec(text) ?? [];
  const digits = minorDigits(currency);
  if (whole === "" || decimals.length > digits) return null;
  return Number(whole + decimals.padEnd(digits, "0"));
}
