import type { Queryable } from "../../../platform/db/statement.ts";
import { saveUses } from "./queries.ts";

const FLUSH_EVERY_MS = 30_000;

/** The times of last use, buffered in memory and flushed together, because a write per request would cost more than the request. */
export type KeyUsage = {
  note(key_id: string, at: Date): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

export function createKeyUsage(db: Queryable, reportDelay: (error: unknown) => void): KeyUsage {
  let uses = new Map<string, Date>();

  /** On failure the buffer is kept for the next flush. */
  async function flush(): Promise<void> {
    const taken = uses;
    uses = new Map();
    if (taken.size === 0) return;
    try {
      await saveUses(db, taken);
    } catch (error) {
      uses = new Map([...taken, ...uses]);
      reportDelay(error);
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    note: (key_id, at) => void uses.set(key_id, at),
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}
