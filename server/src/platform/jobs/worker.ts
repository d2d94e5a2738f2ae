import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Runner, WorkerEvents } from "graphile-worker";
import type { Connection } from "../db/connection.ts";
import { openJobPool, prepareJobSchema } from "../db/job-schema.ts";
import type { Logger } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Job, JobContext } from "./job.ts";
import { openAnnouncer } from "./pools.ts";
import { runJob } from "./run-job.ts";

/** New jobs are announced by NOTIFY. Polling finds retries that are due, and jobs whose notification was lost. */
const POLL_EVERY_MS = 30_000;
const RESTART_AFTER_MS = 5_000;
const ATTEMPTS_MAX = 5;
const CONNECTIONS_MAX = 3;

export type WorkerOptions = {
  jobs: Job[];
  ctx: JobContext;
  service: Connection;
  owner: Connection;
  log: Logger;
  observe: Metrics["observeJob"];
};

export type Worker = { start(): void; stop(): Promise<void> };

/**
 * Runs the jobs on their schedule, in one of the processes that share the database. It restarts by itself: a database that
 * is unreachable for a while must not end it.
 */
export function createWorker(options: WorkerOptions): Worker {
  const stopping = new AbortController();
  let running = Promise.resolve();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await work(options, stopping.signal).catch((error: unknown) =>
        options.log.warn({ err: error }, "the job worker will start again"),
      );
      await sleep(RESTART_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    start() {
      running = loop();
    },
    stop() {
      stopping.abort();
      return running;
    },
  };
}

async function work({ jobs, ctx, service, owner, log, observe }: WorkerOptions, signal: AbortSignal): Promise<void> {
  // Imported lazily: 70 ms and 13 MB that a process without jobs never needs.
  const { Logger: JobLogger, run, runMigrations } = await import("graphile-worker");
  const logger = new JobLogger(() => (level, message) => {
    if (level === "error") log.error({ job_worker: message }, "job worker");
    else if (level === "warning") log.warn({ job_worker: message }, "job worker");
  });
  await prepareJobSchema(owner, String(service.user ?? ""), (pgPool) => runMigrations({ pgPool, logger }));
  if (signal.aborted) return;
  const announcer = await openAnnouncer(service);
  const pgPool = openJobPool(service, CONNECTIONS_MAX);
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => announcer.announce(workerPool.id));
  try {
    const runner = await run({
      pgPool,
      logger,
      events,
      noHandleSignals: true,
      concurrency: 1,
      // Only in batches does the library notice that the end of a job was not written, and ends its pool.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      pollInterval: POLL_EVERY_MS,
      taskList: Object.fromEntries(jobs.map((job) => [job.name, () => runJob(job, ctx, observe)])),
      crontab: jobs.map(({ name, schedule }) => `${schedule} ${name} ?max=${ATTEMPTS_MAX}&queue=${name}&fill=1d`).join("\n"),
    });
    await untilStopped(runner, signal, announcer.over);
  } finally {
    await announcer.close();
    await pgPool.end();
  }
}

async function untilStopped(runner: Runner, signal: AbortSignal, over: Promise<void>): Promise<void> {
  const stop = () => void runner.stop().catch(() => undefined);
  void over.then(stop);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  await runner.promise;
}
