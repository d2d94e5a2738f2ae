import { CIRCUIT_RULES, type CircuitRules } from "../../../../platform/delivery/circuit.ts";
import { FLOW_RULES, type FlowRules } from "../../../../platform/delivery/flow.ts";
import { AWAIT_STATUS_MS, CALL_MS, CLAIM_MS, OVERTAKE_MS, SEND_RETRIES_MS } from "./model.ts";

/** All parameters of the sending engine. Tests use shorter times. */
export type SendingOptions = {
  retry_delays_ms: readonly number[];
  claim_ms: number;
  call_ms: number;
  overtake_ms: number;
  await_status_ms: number;
  circuit: CircuitRules;
  flow: FlowRules;
  /** How often due messages are looked for that no commit of this process has told of. */
  poll_ms: number;
  /** The maximum of messages under way, of those of slow partners, and of those of one channel. */
  slots: number;
  slow_slots: number;
  channel_slots: number;
  /** How long a channel that does not send at present is left alone. */
  parked_ms: number;
  /** How long a stop waits for calls under way. */
  stop_within_ms: number;
};

export const SENDING_OPTIONS: SendingOptions = {
  retry_delays_ms: SEND_RETRIES_MS,
  claim_ms: CLAIM_MS,
  call_ms: CALL_MS,
  overtake_ms: OVERTAKE_MS,
  await_status_ms: AWAIT_STATUS_MS,
  circuit: CIRCUIT_RULES,
  flow: FLOW_RULES,
  poll_ms: 250,
  slots: 200,
  slow_slots: 50,
  channel_slots: 32,
  parked_ms: 1_000,
  stop_within_ms: 10_000,
};
