import type { Health } from "./data.ts";

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

export function bytes(count: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, count)) / Math.log(1024)));
  const value = count / 1024 ** step;
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** Later than this, somebody waits for an event or a delivery that should be there. */
const LATE_S = 30;
/** A transaction this old keeps the database from cleaning up. */
const OLD_TRANSACTION_S = 600;

/** What an operator should look at, in sentences. */
export function concernsOf({ readiness, database, feed, deliveries, jobs }: Health): string[] {
  const failing = jobs.filter(({ last_error_at, started_at }) => last_error_at !== null && last_error_at >= started_at);
  return [
    readiness === "ready" ? null : `The process is ${readiness}.`,
    deliveries.workers === 0 ? "No worker sends webhooks." : null,
    deliveries.endpoints_degraded > 0 ? `${deliveries.endpoints_degraded} webhook endpoints fail; their deliveries wait.` : null,
    feed.oldest_waiting_seconds > LATE_S ? `Events wait for ${duration(feed.oldest_waiting_seconds)} to be put in order.` : null,
    database.connections > database.connections_max * 0.8 ? "The database has few connections left." : null,
    database.oldest_transaction_seconds > OLD_TRANSACTION_S
      ? `A transaction is open for ${duration(database.oldest_transaction_seconds)}.`
      : null,
    ...failing.map(({ name }) => `The job ${name} failed.`),
  ].filter((concern) => concern !== null);
}
