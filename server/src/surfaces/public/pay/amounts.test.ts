import { expect, test } from "vitest";
import { amountText } from "../../../kernel/money.ts";
import { typedAmount } from "./amounts.ts";

test.each([
  [1050, "usd", "en", "$10.50"],
  [1050, "jpy", "en", "¥1,050"],
  [1050, "kwd", "en", "KWD 1.050"],
  [1050, "huf", "en", "HUF 10.50"],
  [1050, "eur", "de", "10,50 €"],
  [123_456_789_012_345, "eur", "fr", "1 234 567 890 123,45 €"],
])("%i minor units of %s in %s are %s", (cents, currency, language, text) => {
  expect(amountText(cents, currency, language).replaceAll(/\s/g, " ")).toBe(text);
});

test.each([
  ["10.50", "usd", 1050],
  ["10,5", "eur", 1050],
  [" 10 ", "eur", 1000],
  ["1050", "jpy", 1050],
  ["1.05", "kwd", 1050],
  ["1,000", "kwd", 1000],
  ["1,000", "usd", null],
  ["1.000", "jpy", null],
  ["10.5", "jpy", null],
  ["1,000.50", "usd", null],
  ["-5", "usd", null],
  ["1e3", "usd", null],
  ["", "usd", null],
])("%j of %s is read as %s", (text, currency, cents) => {
  expect(typedAmount(text, currency)).toBe(cents);
});
