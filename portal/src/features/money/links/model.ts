import type { ColumnValue } from "../../../ui/columns.tsx";
import { dayName } from "../../../ui/days.ts";
import { sums } from "../../../ui/money.tsx";
import type { LinkDay, LinkTotals } from "./data.ts";

/** The way of a visitor: clicks become leads, leads deals, deals sales, and sales earn. */
export const MEASURES = ["clicks", "leads", "deals", "won", "commissions"] as const;
export type Measure = (typeof MEASURES)[number];

/** Some days after each other, with what came in them. */
export type Period = LinkTotals & { from: string; to: string };

const COUNTS = ["clicks", "unique", "bots", "repeats", "leads", "deals", "won"] as const;

/** The sum of several totals, by currency where it is money. */
export function together(all: readonly LinkTotals[]): LinkTotals {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)]));
  return { ...(counts as Omit<LinkTotals, "commissions">), commissions: sums(all.flatMap(({ commissions }) => commissions)) };
}

/** Days one by one, and in weeks, the last of which ends with the last day, where they are too many to be told apart. */
const SINGLE_MAX = 92;

export function periodsOf(days: readonly LinkDay[]): Period[] {
  const size = days.length > SINGLE_MAX ? 7 : 1;
  const periods: Period[] = [];
  for (let end = days.length; end > 0; end -= size) {
    const part = days.slice(Math.max(0, end - size), end);
    periods.unshift({ ...together(part), from: part[0]?.day ?? "", to: part.at(-1)?.day ?? "" });
  }
  return periods;
}

/** Nothing came of people. */
export const isEmpty = (totals: LinkTotals) =>
  totals.commissions.length === 0 && COUNTS.every((name) => name === "bots" || totals[name] === 0);

const amountOf = (totals: LinkTotals, measure: Measure, currency: string) =>
  measure === "commissions" ? (totals.commissions.find((one) => one.currency === currency)?.amount_cents ?? 0) : totals[measure];

/** "16 Nov", or "10 Nov – 16 Nov". */
export const nameOf = ({ from, to }: Period) => (from === to ? dayName(from) : `${dayName(from)} – ${dayName(to)}`);

const NAMES_MAX = 6;

/** Periods as columns: as many have a name below as have room, the last among them. */
export function columnsOf(periods: readonly Period[], measure: Measure, currency: string): ColumnValue[] {
  const every = Math.ceil(periods.length / NAMES_MAX);
  return periods.map((period, index) => ({
    key: period.from,
    label: (periods.length - 1 - index) % every === 0 ? dayName(period.to) : "",
    name: nameOf(period),
    value: amountOf(period, measure, currency),
  }));
}

/** The link that works best: by sales that were won, then deals, leads and clicks. */
export function best<Row extends { totals?: LinkTotals | undefined }>(rows: readonly Row[]): Row | undefined {
  const order = (row: Row) => (["won", "deals", "leads", "clicks"] as const).map((name) => row.totals?.[name] ?? 0);
  return rows.toSorted((one, other) => {
    const [a, b] = [order(one), order(other)];
    const at = a.findIndex((value, index) => value !== b[index]);
    return at === -1 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
  })[0];
}

/** What the API accepts as a code. */
export const isCode = (text: string) => /^[A-Za-z0-9-]{4,32}$/.test(text);
