import { RETRY_DELAYS_MS } from "../../../../platform/delivery/backoff.ts";
import { CIRCUIT_RULES, type CircuitRules } from "../../../../platform/delivery/circuit.ts";
import { FLOW_RULES, type FlowRules } from "../../../../platform/delivery/flow.ts";

const DAY_MS = 86_400_000;

/** Every number of the engine, so that a test can shorten its times. */
export type DeliveryOptions = {
  retry_delays_ms: readonly number[];
  circuit: CircuitRules;
  flow: FlowRules;
  /** An endpoint is disabled after so long without a success, with so many failures over at least so long. */
  disable_after_ms: number;
  disable_failures: number;
  disable_span_ms: number;
  connect_timeout_ms: number;
  /** Requests under way in all, and those of slow endpoints among them. */
  slots: number;
  slow_slots: number;
  /** Deliveries of an endpoint that are read ahead, and when more are read. */
  window: number;
  low_water: number;
  replay_window: number;
  /** How often the database is looked at for work that nobody told us of, and for work of long ago. */
  poll_ms: number;
  poll_all_ms: number;
  /** How long a worker counts as alive, and how often it says so. */
  lease_ms: number;
  renew_ms: number;
  /** How long an endpoint without work is held. */
  linger_ms: number;
  /** Outcomes are written when there are so many, or the oldest is so old. */
  flush_size: number;
  flush_ms: number;
  /** With so many that could not be written, nothing more is sent. */
  unwritten_max: number;
  /** How long a stop waits for what is under way. */
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
