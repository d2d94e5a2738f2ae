import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../db/database.ts";

/** What a job works with. The owner's login may change tables; the service's own may not. */
export type JobContext = { db: Database; owner: Database; clock: Clock };

/** Scheduled work. It may run twice, or be interrupted and repeated: it must be idempotent. */
export type Job = {
  name: string;
  /** Minute, hour, day of month, month, day of week, in UTC. */
  schedule: string;
  /** Returns what it did, in a few words. */
  run(ctx: JobContext): Promise<string>;
};
