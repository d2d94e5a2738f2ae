import { minorDigits } from "./minor-digits.ts";

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, whole: boolean): Intl.NumberFormat {
  const key = `${currency} ${whole}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const digits = whole ? 0 : minorDigits(currency);
  const format = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

/** How many minor units make one: 100 of usd, 1 of jpy. */
export function minorUnits(currency: string): number {
  return 10 ** minorDigits(currency);
}

/** An amount in minor units as text, with a true minus. `whole` only where a column shows whole prices throughout. */
export const money = (cents: number, currency: string, whole = false) =>
  formatOf(currency, whole)
    .format(cents / minorUnits(currency))
    .replace("-", "−");

/** What a person types is in whole units: 49900 of usd is 499. Nothing is empty. */
export const inUnits = (cents: number | null | undefined, currency: string): number | "" =>
  cents === null || cents === undefined ? "" : cents / minorUnits(currency);

/** As the API wants it: minor units, null for nothing. */
export const inCents = (units: number | string, currency: string): number | null =>
  units === "" ? null : Math.round(Number(units) * minorUnits(currency));

/** A share in basis points as text: 1250 is "12.5%". */
export const percent = (bps: number) => `${String(bps / 100).replace("-", "−")}%`;

export type Amount = { amount_cents: number; currency: string };

/** What came in, and what was taken, as it is said: without its sign. */
export const gains = (amounts: readonly Amount[]) => amounts.filter(({ amount_cents }) => amount_cents > 0);
export const losses = (amounts: readonly Amount[]) =>
  amounts.filter(({ amount_cents }) => amount_cents < 0).map((one) => ({ ...one, amount_cents: -one.amount_cents }));

const listed = new Intl.ListFormat("en-GB");
const texts = (amounts: readonly Amount[]) => amounts.map(({ amount_cents, currency }) => money(amount_cents, currency));

/** Amounts of several currencies within a sentence: "$5.00, €3.00 and £1.00". */
export const amountsText = (amounts: readonly Amount[]) => listed.format(texts(amounts));

/** The same within an answer: the figures stand. */
export const Amounts = ({ amounts }: { amounts: readonly Amount[] }) =>
  listed.formatToParts(texts(amounts)).map(({ type, value }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: two amounts may be the same, and none is moved
    type === "element" ? <b key={index}>{value}</b> : value,
  );

/** Several currencies beside each other, the largest first; never one sum of two. */
export const sums = (amounts: readonly Amount[]) => {
  const totals = new Map<string, number>();
  for (const { amount_cents, currency } of amounts) totals.set(currency, (totals.get(currency) ?? 0) + amount_cents);
  return [...totals].sort(([, a], [, b]) => b - a).map(([currency, amount_cents]) => ({ currency, amount_cents }));
};

export function Money({ cents, currency, whole = false }: { cents: number; currency: string; whole?: boolean }) {
  return <span style={{ whiteSpace: "nowrap" }}>{money(cents, currency, whole)}</span>;
}
