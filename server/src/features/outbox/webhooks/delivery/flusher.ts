import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../../platform/db/database.ts";
import type { Delivery, Lane } from "./lane.ts";
import type { DeliveryOptions } from "./options.ts";
import { commitLater, finishDeliveries, type Outcome } from "./queries.ts";

export type Finished = { lane: Lane; delivery: Delivery; outcome: Outcome };

export type FlusherRules = {
  db: Database;
  options: DeliveryOptions;
  worker(): string;
  /** Told of each outcome once it is written, or once the lane turned out to be somebody else's. */
  settled(finished: Finished, held: boolean): void;
  report(error: unknown): void;
};

const AGAIN_AFTER_MS = 200;
const WRITERS = 3;

/**
 * Writes outcomes in batches, one batch after the other, so that they become known in the order they happened. While the
 * database is away they are kept; a crash loses them, and then the deliveries are made once more.
 */
export class Flusher {
  readonly #rules: FlusherRules;
  #waiting: Finished[] = [];
  #unwritten = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #closed = false;

  constructor(rules: FlusherRules) {
    this.#rules = rules;
  }

  /** How many outcomes the database does not have yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  add(finished: Finished): void {
    this.#unwritten += 1;
    this.#waiting.push(finished);
    if (this.#flushing === null) this.#goOn();
  }

  /** Writes what there is; one try. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = null;
      this.#goOn();
    });
    return this.#flushing;
  }

  /** Gives up what could not be written: those deliveries are made once more. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Many go at once, a few wait a moment for others. */
  #goOn(): void {
    const { flush_size, flush_ms } = this.#rules.options;
    if (this.#closed || this.#waiting.length === 0) return;
    if (this.#waiting.length >= flush_size) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), flush_ms);
  }

  /** Tenant by tenant, a few at once. What could not be written comes first the next time. */
  async #writeAll(): Promise<void> {
    const batches = Map.groupBy(this.#waiting, ({ lane }) => lane.partner_id).entries();
    this.#waiting = [];
    let failed = false;
    const writeOn = async () => {
      for (const [partner_id, batch] of batches) {
        await this.#write(partner_id, batch).catch((error: unknown) => {
          failed = true;
          this.#rules.report(error);
          this.#waiting.unshift(...batch);
        });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writeOn));
    if (failed) await sleep(AGAIN_AFTER_MS);
  }

  async #write(partner_id: string, batch: Finished[]): Promise<void> {
    const { db, worker, settled } = this.#rules;
    const outcomes = batch.map(({ outcome }) => outcome);
    const held = await db.transaction(() => ({
      open: (tx) => tx.query(commitLater),
      run: (tx) => finishDeliveries(tx, partner_id, worker(), outcomes),
      close: () => [],
    }));
    this.#unwritten -= batch.length;
    const epochs = new Map(held.map(({ endpoint_id, epoch }) => [endpoint_id, epoch]));
    for (const finished of batch) settled(finished, epochs.get(finished.lane.endpoint_id) === finished.lane.epoch);
  }
}
