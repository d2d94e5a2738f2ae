import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../../platform/db/database.ts";
import type { Lane } from "./lane.ts";
import type { DeliveryOptions } from "./options.ts";
import { finishDeliveries, type Outcome, skipCommitWait } from "./queries.ts";
import type { Delivery } from "./queue.ts";

export type Finished = { lane: Lane; delivery: Delivery; outcome: Outcome };

export type FlusherRules = {
  db: Database;
  options: DeliveryOptions;
  worker(): string;
  /** Called for each outcome once it is written, or once the lease turned out to be lost. */
  onWritten(finished: Finished, leased: boolean): void;
  report(error: unknown): void;
};

const RETRY_AFTER_MS = 200;
const WRITERS = 3;

/**
 * Writes outcomes in batches, one batch after the other, in the order they happened. While the database is unreachable they
 * are kept in memory; a crash loses them, and then those deliveries are repeated.
 */
export class Flusher {
  readonly #rules: FlusherRules;
  #pending: Finished[] = [];
  #unwritten = 0;
  #timer: NodeJS.Timeout | null = null;
  #flushing: Promise<void> | null = null;
  #closed = false;

  constructor(rules: FlusherRules) {
    this.#rules = rules;
  }

  /** Outcomes not written yet. */
  get unwritten(): number {
    return this.#unwritten;
  }

  add(finished: Finished): void {
    this.#unwritten += 1;
    this.#pending.push(finished);
    if (this.#flushing === null) this.#schedule();
  }

  /** Tries once to write everything. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = null;
      this.#schedule();
    });
    return this.#flushing;
  }

  /** Drops what could not be written: those deliveries are repeated. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** A full batch is written at once, a small one waits a moment for more. */
  #schedule(): void {
    const { flush_size, flush_ms } = this.#rules.options;
    if (this.#closed || this.#pending.length === 0) return;
    if (this.#pending.length >= flush_size) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), flush_ms);
  }

  /** One batch per partner, a few concurrently. A failed batch is first in the next round. */
  async #writeAll(): Promise<void> {
    const batches = Map.groupBy(this.#pending, ({ lane }) => lane.partner_id).entries();
    this.#pending = [];
    let failed = false;
    const writeNext = async () => {
      for (const [partner_id, batch] of batches) {
        await this.#write(partner_id, batch).catch((error: unknown) => {
          failed = true;
          this.#rules.report(error);
          this.#pending.unshift(...batch);
        });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writeNext));
    if (failed) await sleep(RETRY_AFTER_MS);
  }

  async #write(partner_id: string, batch: Finished[]): Promise<void> {
    const { db, worker, onWritten } = this.#rules;
    const outcomes = batch.map(({ outcome }) => outcome);
    const leased = await db.transaction(() => ({
      open: (tx) => tx.query(skipCommitWait),
      run: (tx) => finishDeliveries(tx, partner_id, worker(), outcomes),
      close: () => [],
    }));
    this.#unwritten -= batch.length;
    const epochs = new Map(leased.map(({ endpoint_id, epoch }) => [endpoint_id, epoch]));
    for (const finished of batch) onWritten(finished, epochs.get(finished.lane.endpoint_id) === finished.lane.epoch);
  }
}
