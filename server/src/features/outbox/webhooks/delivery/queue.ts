import type { DeliveryRow } from "./queries.ts";

const BLOCKS_KNOWN_MS = 5_000;
const REST_MAX_MS = 500;

/** A delivery in memory. Those of one stream are sent one after the other; without a stream there is no order. */
export type Delivery = DeliveryRow & { stream: string | null };

/** The result of a read: a full window means that there may be more. */
export type Window = { live: Delivery[]; replays: Delivery[]; more: boolean };

/** The deliveries of one endpoint that were read ahead or are in flight, and what is known of those still to be read. */
export class DeliveryQueue {
  /** In the order of sending. Replays are sent only when nothing else can be. */
  #live: Delivery[] = [];
  #replays: Delivery[] = [];
  /** Ids in flight, or done and not written yet: the database still has them as pending. */
  readonly #in_hand = new Set<string>();
  /** Streams with a delivery in flight, and streams whose first delivery waits for its next attempt, with the time of that. */
  readonly #busy = new Set<string>();
  #blocked = new Map<string, number>();
  /** When the database was asked for the blocked streams, whether that gave all of them, and those blocked during a read. */
  #blocked_read_ms = Number.NEGATIVE_INFINITY;
  #all_blocked_known = false;
  readonly #blocked_meanwhile = new Map<string, number>();
  /** Whether the database may have deliveries that were not read, and whether the last read hit its limit. */
  #stale = true;
  #more = false;
  #deep = false;
  #reading = false;
  /** Ids written during a read, which may still see them as pending. */
  readonly #written_meanwhile = new Set<string>();
  /** Consecutive reads without a result, and when the next one is worthwhile without a hint. */
  #empty_reads = 0;
  #read_again_ms = 0;

  /** Deliveries in flight, or done and not written yet. */
  get in_hand(): number {
    return this.#in_hand.size;
  }

  get stale(): boolean {
    return this.#stale;
  }

  get reading(): boolean {
    return this.#reading;
  }

  /** Whether there may be old deliveries to read, too. */
  get deep(): boolean {
    return this.#deep;
  }

  get idle(): boolean {
    return this.#in_hand.size === 0 && !this.#hasQueued();
  }

  isLow(low_water: number): boolean {
    return this.#live.length <= low_water;
  }

  isInHand(id: string): boolean {
    return this.#in_hand.has(id);
  }

  /** Whether a delivery must wait for an earlier one of its stream. Where not all of these are known, only what was tried before may be sent. */
  isBlocked({ stream, attempts }: Delivery & { stream: string }): boolean {
    return this.#blocked.has(stream) || (attempts === 0 && !this.#all_blocked_known);
  }

  /** They are asked for again soon: what blocks a stream may be retried by hand at any time. */
  knowsBlocked(now_ms: number): boolean {
    return now_ms - this.#blocked_read_ms < BLOCKS_KNOWN_MS;
  }

  noteBlocked(blocked: ReadonlyMap<string, number>, all: boolean, now_ms: number): void {
    this.#blocked = new Map([...blocked, ...this.#blocked_meanwhile]);
    this.#all_blocked_known = all;
    this.#blocked_read_ms = now_ms;
  }

  blockedStreams(): string[] {
    return [...this.#blocked.keys()];
  }

  /** Drops what was read ahead; it is read again when needed. */
  clear(): void {
    this.#live = [];
    this.#replays = [];
    this.#stale = true;
    this.#blocked_read_ms = Number.NEGATIVE_INFINITY;
  }

  /** The database has due deliveries. A hint ends the rest after reads without a result. */
  noteDue(due: { deep: boolean; hinted: boolean }): void {
    this.#stale = true;
    if (due.deep) this.#deep = true;
    if (due.hinted) this.#read_again_ms = 0;
  }

  /** Whether a read is worthwhile: the queue runs low and more is known to exist, or it is empty. */
  needsRead(low_water: number, now_ms: number, tick_ms: number): boolean {
    if (!this.#stale || this.#reading || !this.isLow(this.#more ? low_water : 0)) return false;
    return tick_ms >= this.#read_again_ms || this.#hasUnblocked(now_ms);
  }

  /** Streams are unblocked only between reads: one under way has not seen what they wait for. */
  beginRead(now_ms: number): void {
    this.#reading = true;
    this.#stale = false;
    for (const [stream, until_ms] of this.#blocked) if (until_ms <= now_ms) this.#blocked.delete(stream);
  }

  fill({ live, replays, more }: Window): void {
    const isNew = ({ id, stream }: Delivery) =>
      !this.#in_hand.has(id) && !this.#written_meanwhile.has(id) && (stream === null || !this.#blocked.has(stream));
    this.#live = live.filter(isNew);
    this.#replays = replays.filter(isNew);
    this.#more = more;
    if (more) this.#stale = true;
  }

  /** As `fill`, from a read without order, which knows whether old deliveries remain. */
  fillUnordered(window: Window, deep: boolean): void {
    this.#deep = deep;
    this.fill(window);
  }

  endRead(): void {
    this.#reading = false;
    this.#written_meanwhile.clear();
    this.#blocked_meanwhile.clear();
  }

  /** Backs off after a read without a result. Returns whether there is anything to send. */
  noteReadResult(tick_ms: number, poll_ms: number): boolean {
    const found = this.#hasQueued();
    this.#empty_reads = found ? 0 : this.#empty_reads + 1;
    this.#read_again_ms = found ? 0 : tick_ms + Math.min(REST_MAX_MS, poll_ms * 2 ** Math.min(this.#empty_reads, 10));
    return found;
  }

  take(): Delivery | null {
    const delivery = this.#takeFrom(this.#live) ?? this.#takeFrom(this.#replays);
    if (delivery === null) return null;
    this.#in_hand.add(delivery.id);
    if (delivery.stream !== null) this.#busy.add(delivery.stream);
    return delivery;
  }

  /** Lets the next delivery of a stream follow one that is done, before that is written: a crash repeats both, in order. */
  releaseStream({ stream }: Delivery): void {
    if (stream !== null) this.#busy.delete(stream);
  }

  /** The outcome of a delivery is written. One that waits for another attempt blocks its stream until then. */
  settle({ id, stream }: Delivery, retry_at_ms: number | null): void {
    this.#in_hand.delete(id);
    this.#empty_reads = 0;
    this.#read_again_ms = 0;
    if (this.#reading) this.#written_meanwhile.add(id);
    if (stream === null || retry_at_ms === null) return;
    this.#busy.delete(stream);
    this.#blocked.set(stream, retry_at_ms);
    if (this.#reading) this.#blocked_meanwhile.set(stream, retry_at_ms);
    this.#live = this.#live.filter((delivery) => delivery.stream !== stream);
    this.#replays = this.#replays.filter((delivery) => delivery.stream !== stream);
  }

  #takeFrom(queue: Delivery[]): Delivery | null {
    const index = queue.findIndex(({ stream }) => stream === null || !this.#busy.has(stream));
    const [found] = index < 0 ? [] : queue.splice(index, 1);
    return found ?? null;
  }

  #hasQueued(): boolean {
    return this.#live.length + this.#replays.length > 0;
  }

  #hasUnblocked(now_ms: number): boolean {
    for (const until_ms of this.#blocked.values()) if (until_ms <= now_ms) return true;
    return false;
  }
}
