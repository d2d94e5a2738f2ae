import { type Circuit, createCircuit } from "../../../../platform/delivery/circuit.ts";
import { createFlow, type Flow } from "../../../../platform/delivery/flow.ts";
import type { Turn } from "./claim.commands.ts";
import type { SendingOptions } from "./options.ts";

type NoMessage = Exclude<Turn, { found: "message" }>;

/** What a process knows of a channel that it sends messages of. */
export type Lane = {
  partner_id: string;
  channel_id: string;
  /** How many messages are due, as far as is known. */
  due: number;
  flow: Flow;
  circuit: Circuit;
  /** Whether a message may be claimed now. */
  isReady(tick_ms: number, now_ms: number): boolean;
  /** Notes that a turn found no message to send, and how long the channel is to be left alone. */
  noteNone(turn: NoMessage, tick_ms: number, parked_ms: number): void;
  isIdle(tick_ms: number): boolean;
};

/** The channels of a partner, the one that has waited longest first. */
export type Tenant = Map<string, Lane>;

export function createLane(
  partner_id: string,
  channel_id: string,
  { flow: flow_rules, circuit: rules, channel_slots }: SendingOptions,
): Lane {
  const flow = createFlow(flow_rules);
  const circuit = createCircuit({ degraded_at_ms: null, probe_at_ms: 0, probes: 0 }, rules);
  let rests_until_ms = 0;
  let used_ms = 0;
  const lane: Lane = {
    partner_id,
    channel_id,
    due: 0,
    flow,
    circuit,
    isReady(tick_ms, now_ms) {
      if (lane.due > 0) used_ms = tick_ms;
      if (lane.due <= 0 || tick_ms < rests_until_ms) return false;
      const admitted = circuit.admits(now_ms);
      if (admitted === "probe") return flow.in_flight === 0;
      return admitted === "all" && flow.hasRoom(channel_slots);
    },
    noteNone(turn, tick_ms, parked_ms) {
      if (turn.found === "settled") lane.due = Math.max(lane.due, 1);
      else if (turn.found !== "limited") lane.due = 0;
      const rest_ms = turn.found === "limited" ? turn.wait_ms : turn.found === "parked" ? parked_ms : 0;
      rests_until_ms = Math.max(rests_until_ms, tick_ms + rest_ms);
    },
    isIdle: (tick_ms) => lane.due <= 0 && flow.in_flight === 0 && tick_ms - used_ms > rules.window_ms * 2,
  };
  return lane;
}
