import { statement } from "../db/statement.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Job, JobContext } from "./job.ts";

const startedStatement = statement(`
  insert into job_runs as j (name, started_at) values ($1, $2)
  on conflict (name) do update set started_at = excluded.started_at, finished_at = null, duration_ms = null, outcome = null`);

const doneStatement = statement(`
  update job_runs set runs = runs + 1, finished_at = $2, duration_ms = $3, outcome = $4 where name = $1`);

const failedStatement = statement(`
  update job_runs set runs = runs + 1, failures = failures + 1, finished_at = $2, duration_ms = $3, last_error = $4, last_error_at = $2
  where name = $1`);

/** Runs a job and records its outcome for /v1/admin/health and /metrics. A failure is rethrown, so that it is retried. */
export async function runJob(job: Job, ctx: JobContext, observe: Metrics["observeJob"]): Promise<void> {
  const { db, clock } = ctx;
  const began_ms = performance.now();
  const duration = () => Math.round(performance.now() - began_ms);
  await db.query(startedStatement, [job.name, clock.now()]);
  try {
    const outcome = await job.run(ctx);
    await db.query(doneStatement, [job.name, clock.now(), duration(), outcome]);
    observe(job.name, "success", duration());
  } catch (error) {
    observe(job.name, "failure", duration());
    const message = error instanceof Error ? error.message : String(error);
    await db.query(failedStatement, [job.name, clock.now(), duration(), message.slice(0, 500)]);
    throw error;
  }
}
