import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../db/database.ts";
import { sent } from "../db/flight.ts";
import { createDeliveryMetrics, type DeliveryMetrics } from "./delivery-metrics.ts";

export type Metrics = DeliveryMetrics & {
  observeRequest(operation: string, status: number, duration_ms: number): void;
  observeSequenced(count: number): void;
  observeJob(job: string, outcome: "success" | "failure", duration_ms: number): void;
  render(): Promise<string>;
  content_type: string;
};

/** Prometheus metrics. Labels are operations and statuses, never ids. */
export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "tributary_http_request_duration_seconds",
    help: "Time from the first byte of a request to the end of its reply",
    labelNames: ["operation", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const sequenced = new Counter({
    name: "tributary_events_sequenced_total",
    help: "Events sequenced into their feed",
    registers: [registry],
  });
  const jobs = new Counter({
    name: "tributary_jobs_runs_total",
    help: "Runs of scheduled jobs by outcome",
    labelNames: ["job", "outcome"] as const,
    registers: [registry],
  });
  const jobDurations = new Gauge({
    name: "tributary_jobs_last_duration_seconds",
    help: "Duration of the last run of a scheduled job",
    labelNames: ["job"] as const,
    registers: [registry],
  });
  const jobSuccesses = new Gauge({
    name: "tributary_jobs_last_success_timestamp_seconds",
    help: "Time of the last successful run of a scheduled job in this process",
    labelNames: ["job"] as const,
    registers: [registry],
  });
  observeDatabase(db, registry);
  // Cached, because looking up a child by its labels costs more than observing it.
  const children = new Map<string, ReturnType<typeof requests.labels>>();
  return {
    observeRequest(operation, status, duration_ms) {
      const name = `${operation} ${status}`;
      let child = children.get(name);
      if (child === undefined) {
        child = requests.labels(operation, String(status));
        children.set(name, child);
      }
      child.observe(duration_ms / 1000);
    },
    observeSequenced: (count) => sequenced.inc(count),
    observeJob(job, outcome, duration_ms) {
      jobs.inc({ job, outcome });
      jobDurations.set({ job }, duration_ms / 1000);
      if (outcome === "success") jobSuccesses.setToCurrentTime({ job });
    },
    ...createDeliveryMetrics(registry),
    render: () => registry.metrics(),
    content_type: registry.contentType,
  };
}

/** Connections of the pool and of the writers, and what is sent to the database. */
function observeDatabase(db: Database, registry: Registry): void {
  new Gauge({
    name: "tributary_database_connections",
    help: "Connections of the pool and those that creates share, by state",
    labelNames: ["state"] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(db.usage())) this.set({ state }, count);
    },
  });
  for (const [name, help] of [
    ["statements", "Statements sent to the database"],
    ["flights", "Round trips to the database: statements that are sent together are one"],
  ] as const) {
    new Counter({
      name: `tributary_database_${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(sent[name]);
      },
    });
  }
}
