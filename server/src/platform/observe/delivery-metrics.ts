import { Counter, Gauge, type Registry } from "prom-client";

const GAUGES = {
  in_flight: "Webhook requests in flight in this process",
  lanes: "Webhook endpoints assigned to this process",
  oldest_due_seconds: "Age of the oldest due webhook delivery",
};

export type DeliveryMetrics = {
  observeDelivery(outcome: "succeeded" | "failed" | "retried"): void;
  /** Registers gauges that are read at each scrape. */
  watchDeliveries(read: () => Record<keyof typeof GAUGES, number>): void;
};

export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const attempts = new Counter({
    name: "tributary_webhook_attempts_total",
    help: "Delivery attempts by outcome",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  return {
    observeDelivery: (outcome) => attempts.inc({ outcome }),
    watchDeliveries(read) {
      for (const [name, help] of Object.entries(GAUGES) as [keyof typeof GAUGES, string][]) {
        new Gauge({
          name: `tributary_webhook_${name}`,
          help,
          registers: [registry],
          collect() {
            this.set(read()[name]);
          },
        });
      }
    },
  };
}
