import { RETRY_DELAYS_MS } from "../../../../platform/delivery/backoff.ts";
import { CIRCUIT_RULES, type CircuitRules } from "../../../../platform/delivery/circuit.ts";
import { FLOW_RULES, type FlowRules } from "../../../../platform/delivery/flow.ts";

const DAY_MS = 86_400_000;

/** All parameters of the delivery engine. Tests use shorter times. */
export type DeliveryOptions = {
  retry_delays_ms: readonly number[];
  circuit: CircuitRules;
  flow: FlowRules;
  /** An endpoint is disabled after this time without a success, if it had this many failures over at least this span. */
  disable_after_ms: number;
  disable_failures: number;
  disable_span_ms: number;
  connect_timeout_ms: number;
  /** The maximum of concurrent requests, and of those to slow endpoints. */
  slots: number;
  slow_slots: number;
  /** The number of deliveries of an endpoint that are prefetched, and the remainder at which more are fetched. */
  window: number;
  low_water: number;
  replay_window: number;
  /** The number of deliveries of an ordered endpoint that may wait for a retry while others are sent. */
  retries_max: number;
  /** The intervals of polling for new deliveries, and for old ones. */
  poll_ms: number;
  poll_all_ms: number;
  /** The lease of a worker, and the interval of its heartbeat. */
  lease_ms: number;
  renew_ms: number;
  /** How long an idle endpoint keeps its lane. */
  linger_ms: number;
  /** Outcomes are flushed at this number, or at this age of the oldest. */
  flush_size: number;
  flush_ms: number;
  /** Sending pauses at this number of unwritten outcomes. */
  unwritten_max: number;
  /** How long a stop waits for requests in flight. */
  stop_within_ms: number;
};

export const DELIVERY_OPTIONS: DeliveryOptions = {
  retry_delays_ms: RETRY_DELAYS_MS,
  circuit: CIRCUIT_RULES,
  flow: FLOW_RULES,
  disable_after_ms: 5 * DAY_MS,
  disable_failures: 20,
  disable_span_ms: DAY_MS,
  connect_timeout_ms: 5_000,
  slots: 1_000,
  slow_slots: 250,
  window: 200,
  low_water: 50,
  replay_window: 32,
  retries_max: 100_000,
  poll_ms: 100,
  poll_all_ms: 5_000,
  lease_ms: 3_000,
  renew_ms: 1_000,
  linger_ms: 5_000,
  flush_size: 200,
  flush_ms: 5,
  unwritten_max: 5_000,
  stop_within_ms: 10_000,
};
