import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../db/database.ts";

/** What a job works with. The owner's login may change tables; the service's own may not. */
export type JobContext = { db: Database; owner: Database; clock: Clock };

/** Work that is done on a schedule. It may run twice, or be cut short and run again: it must be safe either way. */
export type Job = {
  name: string;
  /** Minute, hour, day of month, month, day of week, in UTC. */
  schedule: string;
  /** Returns what it did, in a few words. */
  run(ctx: JobContext): Promise<string>;
};
