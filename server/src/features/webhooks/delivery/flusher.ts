import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../platform/db/database.ts";
import type { Delivery, Lane } from "./lane.ts";
import type { DeliveryOptions } from "./options.ts";
import { commitLater, finishDeliveries, type Outcome } from "./queries.ts";

export type Finished = { lane: Lane; delivery: Delivery; outcome: Outcome };

export type Flusher = {
  add(finished: Finished): void;
  /** How many outcomes the database does not have yet. */
  readonly unwritten: number;
  /** Writes what there is; one try. */
  flush(): Promise<void>;
  /** Gives up what could not be written: those deliveries are made once more. */
  close(): void;
};

export type FlusherRules = {
  db: Database;
  options: DeliveryOptions;
  worker(): string;
  /** Told of each outcome once it is written, or once the lane turned out to be somebody else's. */
  settled(finished: Finished, held: boolean): void;
  report(error: unknown): void;
};

const AGAIN_AFTER_MS = 200;

/**
 * Writes outcomes in batches, one batch after the other, so that they become known in the order they happened. While the
 * database is away they are kept; a crash loses them, and then the deliveries are made once more.
 */
export function createFlusher({ db, options, worker, settled, report }: FlusherRules): Flusher {
  let waiting: Finished[] = [];
  let unwritten = 0;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  let flushing: Promise<void> | null = null;

  async function write(partner_id: string, batch: Finished[]): Promise<void> {
    const held = await db.transaction(() => ({
      open: (tx) => tx.query(commitLater),
      run: (tx) =>
        finishDeliveries(
          tx,
          partner_id,
          worker(),
          batch.map(({ outcome }) => outcome),
        ),
      close: () => [],
    }));
    unwritten -= batch.length;
    for (const finished of batch) settled(finished, held.has(finished.lane.endpoint_id));
  }

  /** Tenant by tenant, a few at once. What could not be written comes first the next time. */
  async function writeAll(): Promise<void> {
    const batches = [...Map.groupBy(waiting, ({ lane }) => lane.partner_id)];
    waiting = [];
    let failed = false;
    const next = async () => {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        const [partner_id, finished] = batch;
        await write(partner_id, finished).catch((error: unknown) => {
          failed = true;
          report(error);
          waiting.unshift(...finished);
        });
      }
    };
    await Promise.all([next(), next(), next()]);
    if (failed) await sleep(AGAIN_AFTER_MS);
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    flushing ??= writeAll().finally(() => {
      flushing = null;
      if (closed) return;
      if (waiting.length >= options.flush_size) void flush();
      else if (waiting.length > 0) flushSoon();
    });
    return flushing;
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => void flush(), options.flush_ms);
  }

  return {
    get unwritten() {
      return unwritten;
    },
    add(finished) {
      unwritten += 1;
      if (closed) return;
      if (waiting.push(finished) >= options.flush_size) void flush();
      else if (flushing === null) flushSoon();
    },
    flush,
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
