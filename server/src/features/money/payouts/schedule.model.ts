import { nextRun } from "../../../kernel/schedule.ts";

/** The least amounts that are paid, by currency, in its minor unit. */
export type Minimums = Readonly<Record<string, number>>;

const MINIMUM_CENTS = 5_000;

/** The least amount that is paid in a currency. */
export function minimumFor(minimums: Minimums, currency: string): number {
  return minimums[currency] ?? MINIMUM_CENTS;
}

/** When the next run is due after an instant; null where only the operator starts runs. */
export function nextSlot(cron: string | null, time_zone: string, after: Date): Date | null {
  return cron === null ? null : nextRun(cron, time_zone, after);
}
