import { Counter, Gauge, type Registry } from "prom-client";

const GAUGES = {
  in_flight: "Webhook requests under way in this process",
  lanes: "Endpoints that this process sends to, alone",
  oldest_due_seconds: "For how long the oldest webhook delivery has been due",
};

export type DeliveryMetrics = {
  observeDelivery(outcome: "succeeded" | "failed" | "retried"): void;
  /** Shows how deliveries stand, asked whenever somebody looks. */
  watchDeliveries(read: () => Record<keyof typeof GAUGES, number>): void;
};

export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const attempts = new Counter({
    name: "tributary_webhook_attempts_total",
    help: "Attempts to deliver by what became of the delivery",
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
