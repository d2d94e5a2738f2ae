import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { contactJobs } from "./features/contacts/index.ts";
import { admitWriter, createKeyUsage, findKeys, findOperatorKeys, type KeyUsage } from "./features/keys/index.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { createSealer } from "./platform/crypto/seal.ts";
import type { Connection } from "./platform/db/connection.ts";
import { type Database, openDatabase } from "./platform/db/database.ts";
import { createDrain } from "./platform/http/drain.ts";
import { createAuthenticator } from "./platform/http/key-lookup.ts";
import { mount } from "./platform/http/mount.ts";
import { createRequestLimits } from "./platform/http/request-limits.ts";
import { createServer } from "./platform/http/server.ts";
import { maintenanceJobs } from "./platform/jobs/maintenance.ts";
import { createWorker, type Worker } from "./platform/jobs/worker.ts";
import { createLimiter } from "./platform/limits/limiter.ts";
import type { Logger } from "./platform/observe/log.ts";
import { createMetrics, type Metrics } from "./platform/observe/metrics.ts";
import type { Readiness } from "./platform/observe/readiness.ts";
import type { Services } from "./platform/record/context.ts";
import { sequenceAll } from "./platform/record/sequencer.ts";
import { createTally, type Tally } from "./platform/record/tally.ts";
import { adminV1 } from "./surfaces/admin-v1.ts";
import { mountDocs } from "./surfaces/docs/index.ts";
import { generalV1 } from "./surfaces/general-v1.ts";
import { mountHealth } from "./surfaces/health.ts";
import { partnerV1 } from "./surfaces/partner-v1.ts";

const SEQUENCE_EVERY_MS = 500;

export type AppOptions = {
  connection: Connection;
  connections_max: number;
  secret_key: string;
  /** Asked at each use, because a free port is known only once it is listened on. */
  baseUrl(): string;
  /** The newest migration this code knows: not ready before the database has it. */
  migration: number;
  log: Logger;
  clock?: Clock;
  role?: "api" | "worker" | "all";
  docs_access?: "keys" | "public";
  rate_limits?: "on" | "off";
  /** What scheduled jobs need: the login that owns the tables, and the quiet time of the day. Left out, there are none. */
  jobs?: { owner: Connection; maintenance_at: string };
};

export type App = {
  http: FastifyInstance;
  services: Services;
  tally: Tally;
  usage: KeyUsage;
  /** What /readyz says: orchestrators send requests only while it is ready. */
  setReadiness(readiness: Readiness): void;
  /** Finishes what is under way, writes what is counted, lets go of the database. */
  close(): Promise<void>;
};

/** Puts the application together. It does not listen: that is the process's concern. */
export async function createApp(options: AppOptions): Promise<App> {
  const { clock = systemClock, log, role = "all" } = options;
  const db = openDatabase(options.connection, options.connections_max);
  let readiness: Readiness = "starting";
  const services: Services = {
    db,
    clock,
    sealer: createSealer(options.secret_key),
    admitWriter,
    readiness: () => readiness,
  };
  const metrics = createMetrics(db);
  const tally = createTally(db, clock, (error) => log.error({ err: error }, "audit counts were lost"));
  const usage = createKeyUsage(db, (error) => log.warn({ err: error }, "the last use of keys will be written later"));
  const http = createServer({ baseUrl: options.baseUrl, clock, log, metrics });
  const drain = createDrain(http);
  mountHealth(http, { db, metrics, migration: options.migration, readiness: services.readiness });
  if (role !== "worker") {
    const authenticate = createAuthenticator(findKeys(db.byKey, clock, usage.note));
    const limits = options.rate_limits === "off" ? undefined : createRequestLimits(createLimiter(db));
    mount(http, { ...partnerV1, services, tally, authenticate, limits });
    mount(http, { ...generalV1, services, tally, authenticate, limits });
    const authenticateOperator = createAuthenticator(findOperatorKeys(db.byKey, clock, usage.note));
    mount(http, { ...adminV1, services, tally, authenticate: authenticateOperator, limits });
    mountDocs(http, { access: options.docs_access ?? "keys", authenticate });
  }
  const jobs = role === "api" ? null : openJobs(options, services, metrics);
  const sequencer = role === "api" ? null : runSequencer(db, log, metrics.observeSequenced);
  await http.ready();
  return {
    http,
    services,
    tally,
    usage,
    setReadiness(now) {
      // Once the service serves, so that they do not hold up its start.
      if (now === "ready" && readiness !== "ready") jobs?.start();
      readiness = now;
    },
    async close() {
      readiness = "draining";
      await drain();
      await jobs?.stop();
      await sequencer?.stop();
      await tally.close();
      await usage.close();
      await db.close();
    },
  };
}

/** The scheduled jobs, with a connection of the owner's that is opened when one of them needs it. */
function openJobs({ connection, jobs, log }: AppOptions, { db, clock }: Services, metrics: Metrics): Worker | null {
  if (jobs === undefined) return null;
  const owner = openDatabase(jobs.owner, 1);
  const worker = createWorker({
    jobs: [...maintenanceJobs(jobs.maintenance_at), ...contactJobs(jobs.maintenance_at)],
    ctx: { db, owner, clock },
    service: connection,
    owner: jobs.owner,
    log,
    observe: metrics.observeJob,
  });
  return {
    start: worker.start,
    async stop() {
      await worker.stop();
      await owner.close();
    },
  };
}

/** Places events of partners whose feed nobody reads just now. Readers do it for themselves, so this may be slow. */
function runSequencer(db: Database, log: Logger, observe: (count: number) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await sequenceAll(db).then(observe, (error) => log.warn({ err: error }, "the sequencer will try again"));
      await sleep(SEQUENCE_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
