import { createFlow, type Flow, type Outcome } from "../../../../platform/delivery/flow.ts";
import { createPacer, type Pacer } from "../../../../platform/delivery/pacer.ts";
import type { Endpoint } from "./endpoint.ts";
import { EndpointHealth } from "./endpoint-health.ts";
import type { LaneRow } from "./lanes.queries.ts";
import type { DeliveryOptions } from "./options.ts";
import { type Delivery, DeliveryQueue } from "./queue.ts";

/** One endpoint leased to this worker: its settings, its queue, its health, and what it may be sent now. */
export class Lane {
  readonly partner_id: string;
  readonly endpoint_id: string;
  readonly epoch: number;
  readonly queue = new DeliveryQueue();
  readonly health: EndpointHealth;
  readonly #flow: Flow;
  #endpoint: Endpoint;
  #pacer: Pacer | null;
  #draining = false;
  #lost = false;
  /** When work was last seen: a lease without work is released after a while. */
  #active_ms: number;

  constructor(partner_id: string, row: LaneRow, endpoint: Endpoint, options: DeliveryOptions, tick_ms: number) {
    this.partner_id = partner_id;
    this.endpoint_id = row.endpoint_id;
    this.epoch = row.epoch;
    this.health = new EndpointHealth(row, options.circuit);
    this.#endpoint = endpoint;
    this.#pacer = pacerOf(endpoint);
    this.#active_ms = tick_ms;
    this.#flow = createFlow(options.flow);
    if (this.health.degraded) this.#flow.restart();
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  /** Whether it sends nothing more and is released once nothing is in flight. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Whether the lease has ended. */
  get lost(): boolean {
    return this.#lost;
  }

  get releasable(): boolean {
    return this.#draining && this.queue.in_hand === 0 && !this.queue.reading;
  }

  drain(): void {
    this.#draining = true;
  }

  markLost(): void {
    this.#lost = true;
  }

  refreshEndpoint(endpoint: Endpoint): void {
    const { rate_limit_per_second, target } = this.#endpoint;
    // Queued deliveries may have another order now, or be cancelled.
    this.queue.clear();
    // A new address is tried at once.
    if (endpoint.target?.url.href !== target?.url.href) this.health.closeCircuit();
    this.#endpoint = endpoint;
    if (endpoint.rate_limit_per_second !== rate_limit_per_second) this.#pacer = pacerOf(endpoint);
  }

  /** The database has due deliveries for it: old ones too if `deep`, told by a commit and not by a poll if `hinted`. */
  noteDue(tick_ms: number, due: { deep: boolean; hinted: boolean }): void {
    this.#active_ms = tick_ms;
    this.queue.noteDue(due);
  }

  /** A read of its queue has ended. Returns whether there is anything to send. */
  noteReadResult(tick_ms: number, poll_ms: number): boolean {
    const found = this.queue.noteReadResult(tick_ms, poll_ms);
    if (found) this.#active_ms = tick_ms;
    return found;
  }

  /** Whether it has had nothing to do since then. */
  isIdleSince(tick_ms: number): boolean {
    return this.queue.idle && this.#active_ms < tick_ms;
  }

  isSlow(tick_ms: number): boolean {
    return this.health.degraded || this.#flow.isSlow(tick_ms);
  }

  /** Milliseconds until its rate limit allows the next request. */
  waitMs(tick_ms: number): number {
    return this.#pacer?.waitMs(tick_ms) ?? 0;
  }

  needsRead(low_water: number, now_ms: number, tick_ms: number): boolean {
    if (this.#draining || this.#lost || this.health.admits(now_ms) === "nothing") return false;
    return this.queue.needsRead(low_water, now_ms, tick_ms);
  }

  /** The delivery to send now, or null. `now_ms` is the time of day, `tick_ms` that of a monotonic clock. */
  take(now_ms: number, tick_ms: number): Delivery | null {
    if (this.#draining || this.#lost) return null;
    const admitted = this.health.admits(now_ms);
    if (admitted === "nothing" || (admitted === "probe" && this.#flow.in_flight > 0)) return null;
    if (!this.#flow.hasRoom(this.#endpoint.ordering === "strict" ? 1 : this.#endpoint.max_in_flight)) return null;
    if (this.waitMs(tick_ms) > 0) return null;
    const delivery = this.queue.take();
    if (delivery !== null) this.#pacer?.take(tick_ms);
    return delivery;
  }

  /** Returns the ticket with which the attempt ends. */
  noteAttemptStarted(tick_ms: number): number {
    return this.#flow.begin(tick_ms);
  }

  noteAttemptEnded(ticket: number, outcome: Outcome, tick_ms: number): void {
    this.#flow.end(ticket, outcome, tick_ms);
  }

  noteAnswer(succeeded: boolean, now: Date): void {
    const change = this.health.note(succeeded, now);
    // Parked deliveries are read again before the next probe: they may be cancelled meanwhile.
    if (change === "degraded") this.queue.clear();
    if (change === "recovered") this.#flow.restart();
  }
}

function pacerOf({ rate_limit_per_second }: Endpoint): Pacer | null {
  return rate_limit_per_second === null ? null : createPacer(rate_limit_per_second);
}
