import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { admitWriter, findKeys } from "./features/keys/index.ts";
import { type Clock, systemClock } from "./kernel/clock.ts";
import { createSealer } from "./platform/crypto/seal.ts";
import type { Connection } from "./platform/db/connection.ts";
import { type Database, openDatabase } from "./platform/db/database.ts";
import { createDrain } from "./platform/http/drain.ts";
import { createAuthenticator } from "./platform/http/key-lookup.ts";
import { mount } from "./platform/http/mount.ts";
import { createServer } from "./platform/http/server.ts";
import type { Logger } from "./platform/observe/log.ts";
import { createMetrics } from "./platform/observe/metrics.ts";
import type { Services } from "./platform/record/context.ts";
import { sequenceAll } from "./platform/record/sequencer.ts";
import { createTally, type Tally } from "./platform/record/tally.ts";
import { mountDocs } from "./surfaces/docs/index.ts";
import { mountHealth, type Readiness } from "./surfaces/health.ts";
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
};

export type App = {
  http: FastifyInstance;
  services: Services;
  tally: Tally;
  /** What /readyz says: orchestrators send requests only while it is ready. */
  setReadiness(readiness: Readiness): void;
  /** Finishes what is under way, writes what is counted, lets go of the database. */
  close(): Promise<void>;
};

/** Puts the application together. It does not listen: that is the process's concern. */
export async function createApp(options: AppOptions): Promise<App> {
  const { clock = systemClock, log, role = "all" } = options;
  const db = openDatabase(options.connection, options.connections_max);
  const services: Services = { db, clock, sealer: createSealer(options.secret_key), admitWriter };
  const metrics = createMetrics(db);
  const tally = createTally(db, clock, (error) => log.error({ err: error }, "audit counts were lost"));
  const http = createServer({ baseUrl: options.baseUrl, clock, log, metrics });
  const drain = createDrain(http);
  let readiness: Readiness = "starting";
  mountHealth(http, { db, metrics, migration: options.migration, readiness: () => readiness });
  if (role !== "worker") {
    const authenticate = createAuthenticator(findKeys(db.byKey));
    mount(http, { ...partnerV1, services, tally, authenticate });
    mountDocs(http, { access: options.docs_access ?? "keys", authenticate });
  }
  const sequencer = role === "api" ? null : runSequencer(db, log, metrics.observeSequenced);
  await http.ready();
  return {
    http,
    services,
    tally,
    setReadiness(now) {
      readiness = now;
    },
    async close() {
      readiness = "draining";
      await drain();
      await sequencer?.stop();
      await tally.close();
      await db.close();
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
