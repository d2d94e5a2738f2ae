import { type Circuit, createCircuit } from "../../../../platform/delivery/circuit.ts";
import { createFlow, type Flow } from "../../../../platform/delivery/flow.ts";
import { createPace, type Pace } from "../../../../platform/delivery/pace.ts";
import type { EndpointRow, LaneHealth, LaneRow } from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";
import type { DeliveryRow } from "./queries.ts";

const BLOCK_MAX_MS = 5_000;

/** An endpoint as deliveries are made to it, its secrets open. */
export type Endpoint = Pick<EndpointRow, "ordering" | "max_in_flight" | "timeout_ms" | "rate_limit_per_second" | "version"> & {
  /** Null: its address, headers or secrets cannot be read. */
  target: { url: URL; headers: Record<string, string> } | null;
  secrets: { secret: string; ends_ms: number }[];
};

/** A delivery in hand. Those of one stream go one after the other; without a stream there is no order. */
export type Delivery = DeliveryRow & { stream: string | null };

/**
 * One endpoint in the hands of one worker: what is to be sent next, what is under way, and how the endpoint has answered.
 */
export class Lane {
  readonly partner_id: string;
  readonly endpoint_id: string;
  readonly epoch: number;
  readonly circuit: Circuit;
  readonly flow: Flow;
  endpoint: Endpoint;
  /** What is read ahead, in the order of sending. Replays go only when nothing else can. */
  live: Delivery[] = [];
  replays: Delivery[] = [];
  /** Ids under way, or done and not written yet: the database still has them as pending. */
  readonly in_hand = new Set<string>();
  /** Streams with a delivery under way, and streams whose first delivery waits for its next attempt. */
  readonly busy = new Set<string>();
  readonly blocked = new Map<string, number>();
  health: Pick<LaneHealth, "failing_since" | "failures" | "last_success_at" | "last_failure_at">;
  health_changed = false;
  /** Whether the database may have work that was not read. */
  stale = true;
  /** Whether the last read found more than it could take. */
  more = false;
  /** Whether it may have work of long ago, too. */
  deep = false;
  reading = false;
  /** Reads in a row that brought nothing, and when it is worth to read again without being told. */
  fruitless = 0;
  read_again_ms = 0;
  /** Ids written while a read was under way, which may have them as pending still. */
  readonly written_meanwhile = new Set<string>();
  /** No longer ours to send for, or about to be given away. */
  leaving = false;
  lost = false;
  /** When work was last seen, to give the lane back when there is none. */
  seen_ms: number;
  /** Whether somebody waits for the rate to allow the next request. */
  pacing = false;
  #pace: Pace | null;

  constructor(partner_id: string, row: LaneRow, endpoint: Endpoint, options: DeliveryOptions, seen_ms: number) {
    this.partner_id = partner_id;
    this.endpoint_id = row.endpoint_id;
    this.epoch = row.epoch;
    this.endpoint = endpoint;
    this.seen_ms = seen_ms;
    this.#pace = paceOf(endpoint);
    const { failing_since, failures, last_success_at, last_failure_at } = row;
    this.health = { failing_since, failures, last_success_at, last_failure_at };
    this.circuit = createCircuit(
      { degraded_at_ms: row.degraded_at?.getTime() ?? null, probe_at_ms: row.probe_at?.getTime() ?? 0, probes: row.probes },
      options.circuit,
    );
    this.flow = createFlow(options.flow);
    if (row.degraded_at !== null) this.flow.restart();
  }

  changeEndpoint(endpoint: Endpoint): void {
    const sameRate = endpoint.rate_limit_per_second === this.endpoint.rate_limit_per_second;
    // What waits may have got another order, or have been cancelled.
    this.forgetQueue();
    // Whoever gives another address means it to be tried at once.
    if (endpoint.target?.url.href !== this.endpoint.target?.url.href) this.circuit.reset();
    this.endpoint = endpoint;
    if (!sameRate) this.#pace = paceOf(endpoint);
  }

  forgetQueue(): void {
    this.live = [];
    this.replays = [];
    this.stale = true;
  }

  /** Whether anything is left of what was taken on. */
  get idle(): boolean {
    return this.in_hand.size === 0 && this.live.length === 0 && this.replays.length === 0;
  }

  isSlow(now_ms: number): boolean {
    return this.circuit.state.degraded_at_ms !== null || this.flow.isSlow(now_ms);
  }

  /** Milliseconds until the rate allows the next request. */
  waitMs(now_ms: number): number {
    return this.#pace?.waitMs(now_ms) ?? 0;
  }

  /** Whether it is worth to read more for it now: when it runs low and there is known to be more, or has nothing left. */
  wantsWork(low_water: number, now_ms: number, tick_ms: number): boolean {
    if (!this.stale || this.reading || this.leaving || this.lost) return false;
    if (this.live.length > (this.more ? low_water : 0)) return false;
    return this.circuit.admits(now_ms) !== "nothing" && (tick_ms >= this.read_again_ms || this.hasUnblocked(now_ms));
  }

  /** The delivery to send now, or null. `now_ms` is the time of day, `tick_ms` that of a clock which never jumps. */
  take(now_ms: number, tick_ms: number): Delivery | null {
    if (this.leaving || this.lost) return null;
    const admitted = this.circuit.admits(now_ms);
    if (admitted === "nothing" || (admitted === "probe" && this.flow.in_flight > 0)) return null;
    if (!this.flow.hasRoom(this.endpoint.ordering === "strict" ? 1 : this.endpoint.max_in_flight)) return null;
    if (this.waitMs(tick_ms) > 0) return null;
    const delivery = this.#next(this.live) ?? this.#next(this.replays);
    if (delivery === null) return null;
    this.#pace?.take(tick_ms);
    this.in_hand.add(delivery.id);
    if (delivery.stream !== null) this.busy.add(delivery.stream);
    return delivery;
  }

  #next(queue: Delivery[]): Delivery | null {
    const index = queue.findIndex(({ stream }) => stream === null || !this.busy.has(stream));
    const [found] = index < 0 ? [] : queue.splice(index, 1);
    return found ?? null;
  }

  /** The database knows what became of a delivery. One that waits for another attempt holds its stream until then. */
  settle({ id, stream }: Delivery, retry_at_ms: number | null, now_ms: number): void {
    this.in_hand.delete(id);
    this.fruitless = 0;
    this.read_again_ms = 0;
    if (this.reading) this.written_meanwhile.add(id);
    if (stream === null || retry_at_ms === null) return;
    this.busy.delete(stream);
    this.block(stream, retry_at_ms, now_ms);
  }

  /** Holds a stream up until then, but not for long without a look: somebody may want its delivery sent again at once. */
  block(stream: string, until_ms: number, now_ms: number): void {
    this.blocked.set(stream, Math.min(until_ms, now_ms + BLOCK_MAX_MS));
    this.live = this.live.filter((delivery) => delivery.stream !== stream);
    this.replays = this.replays.filter((delivery) => delivery.stream !== stream);
  }

  /** Lets streams go on whose time has come. Only between reads: one under way has not seen what they wait for. */
  unblock(now_ms: number): void {
    for (const [stream, until_ms] of this.blocked) if (until_ms <= now_ms) this.blocked.delete(stream);
  }

  /** A delivery that is done lets the next of its stream go, before the database knows: a crash repeats both, in order. */
  release({ stream }: Delivery): void {
    if (stream !== null) this.busy.delete(stream);
  }

  hasUnblocked(now_ms: number): boolean {
    for (const until_ms of this.blocked.values()) if (until_ms <= now_ms) return true;
    return false;
  }
}

function paceOf({ rate_limit_per_second }: Endpoint): Pace | null {
  return rate_limit_per_second === null ? null : createPace(rate_limit_per_second);
}
