/** How far an overview looks back. */
export const MONTHS = 12;
const WEEKS = 13;
export const DECIDED_DAYS = 90;

const DAY_MS = 86_400_000;

/** A day in UTC, such as 2026-11-02; its month is the beginning of it. */
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const monthOf = (at: Date) => at.toISOString().slice(0, 7);
const firstOfMonth = (now: Date, months_ago: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months_ago, 1));
const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);

/** The months until now, oldest first, but none before the one of `since`. */
export function lastMonths(now: Date, since: Date): string[] {
  const months = Array.from({ length: MONTHS }, (_, index) => monthOf(firstOfMonth(now, MONTHS - 1 - index)));
  return months.filter((month) => month >= monthOf(since));
}

/** When the first of the last months began. */
export const firstMonthAt = (now: Date): Date => firstOfMonth(now, MONTHS - 1);

/** The value at the end of each month, counted back from the present one by what changed in each month. */
export function balances(
  present: number,
  changes: readonly { month: string; change: number }[],
  months: readonly string[],
): number[] {
  return months.map((month) => changes.reduce((value, of) => (of.month > month ? value - of.change : value), present));
}

export type Closed = {
  day: string;
  status: "won" | "lost";
  currency: string;
  deals: number;
  mrr_cents: number;
  amount_cents: number;
};

const count = (rows: readonly Closed[], status: Closed["status"]) =>
  rows.reduce((sum, row) => sum + (row.status === status ? row.deals : 0), 0);

/** The deals decided on the last 90 days, today included, and by weeks that end today; the first week has six of them. */
export function decided(rows: readonly Closed[], now: Date) {
  const recent = rows.filter(({ day }) => day > dayOf(daysBefore(now, DECIDED_DAYS)));
  const weeks = Array.from({ length: WEEKS }, (_, index) => {
    const [after, until] = [WEEKS - index, WEEKS - index - 1].map((weeks_ago) => dayOf(daysBefore(now, weeks_ago * 7)));
    const own = recent.filter(({ day }) => day > (after ?? "") && day <= (until ?? ""));
    return { ends_on: until ?? "", won: count(own, "won"), lost: count(own, "lost") };
  });
  return { won: count(recent, "won"), lost: count(recent, "lost"), weeks };
}

/** What was won in each of the last months, by currency. */
export function wonByMonth(rows: readonly Closed[], months: readonly string[]) {
  const won = rows.filter(({ status }) => status === "won");
  const currencies = [...new Set(won.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({
    currency,
    months: months.map((month) => {
      const own = won.filter((row) => row.currency === currency && row.day.startsWith(month));
      const sum = (of: "deals" | "mrr_cents" | "amount_cents") => own.reduce((total, row) => total + row[of], 0);
      return { month, deals: sum("deals"), mrr_cents: sum("mrr_cents"), amount_cents: sum("amount_cents") };
    }),
  }));
}
