import { decimalOf, minorDigits } from "../../../kernel/money.ts";

/** An amount in minor units as people of a language write it, with all digits of the currency: 10.50 $, 1,050 ¥, 1.050 KWD. */
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
