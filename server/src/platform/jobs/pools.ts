import type { Connection } from "../db/connection.ts";
import { JOB_SCHEMA } from "../db/job-schema.ts";
import { openSession } from "../db/session.ts";

const RELEASE_EVERY_MS = 10_000;

/** Longer than a pool takes to announce itself. */
const LOCKED_FOR = "interval '10 seconds'";

const announceStatement = "select pg_advisory_lock(hashtextextended($1, 6))";

const deadStatement = `
  with held as materialized (
    select locked_by as pool from ${JOB_SCHEMA}._private_jobs where locked_at < now() - ${LOCKED_FOR}
    union
    select locked_by from ${JOB_SCHEMA}._private_job_queues where locked_at < now() - ${LOCKED_FOR})
  select pool from held where pool <> $1 and pg_try_advisory_xact_lock(hashtextextended(pool, 6))`;

const releaseStatement = `select ${JOB_SCHEMA}.force_unlock_workers($1)`;

export type Announcer = {
  /** Announces the pool of this process. */
  announce(pool: string): void;
  /** Settles when the pool is announced no more. */
  over: Promise<void>;
  close(): Promise<void>;
};

/**
 * A pool of the job library locks the queue of a job while it runs, for four hours if its process is killed amid it. So each pool announces
 * itself by a lock of a session, which ends with the process, and each releases what others hold that are announced no more.
 */
export async function openAnnouncer(connection: Connection): Promise<Announcer> {
  const session = await openSession(connection, "job pool");
  const { promise: over, resolve } = Promise.withResolvers<void>();
  session.once("end", resolve);
  let own = "";
  const releaseDead = async () => {
    const { rows } = await session.query<{ pool: string }>(deadStatement, [own]);
    if (rows.length > 0) await session.query(releaseStatement, [rows.map(({ pool }) => pool)]);
  };
  // A session that is lost ends the pool.
  const timer = setInterval(() => void releaseDead().catch(() => undefined), RELEASE_EVERY_MS);
  return {
    announce(pool) {
      own = pool;
      session.query(announceStatement, [pool]).catch(resolve);
    },
    over,
    async close() {
      clearInterval(timer);
      await session.end().catch(() => undefined);
    },
  };
}
