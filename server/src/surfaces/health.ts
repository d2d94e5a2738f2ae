import type { FastifyInstance } from "fastify";
import { fail } from "../kernel/errors.ts";
import type { OperatorPrincipal } from "../kernel/principal.ts";
import type { Database } from "../platform/db/database.ts";
import { NEWEST_MIGRATION } from "../platform/db/migrate.ts";
import { statement } from "../platform/db/statement.ts";
import type { Authenticate } from "../platform/http/authenticator.ts";
import { refuseOtherMethods } from "../platform/http/mount.ts";
import { authenticateRequest, type RequestLimits } from "../platform/http/request-limits.ts";
import type { Logger } from "../platform/observe/log.ts";
import type { Metrics } from "../platform/observe/metrics.ts";
import type { Readiness } from "../platform/observe/readiness.ts";

const newestMigration = statement(NEWEST_MIGRATION);
const ANSWER_WITHIN_MS = 1_000;

export type Health = {
  db: Database;
  log: Logger;
  metrics: Metrics;
  migration: number;
  readiness(): Readiness;
  /** Authenticates who reads the metrics; null for everybody. They say how much business there is. */
  authenticate: Authenticate<OperatorPrincipal> | null;
  limits: RequestLimits | undefined;
};

/** What an orchestrator asks: is the process alive, may it get requests, what does it measure. */
export function mountHealth(app: FastifyInstance, health: Health): void {
  const newest = createProbe(health);
  app.get("/healthz", async (_request, reply) => reply.type("application/json").send('{"status":"ok"}'));
  app.get("/readyz", async (_request, reply) => {
    const readiness = health.readiness();
    if (readiness !== "ready")
      fail("service_unavailable", { detail: `The service is ${readiness}.`, headers: { "retry-after": "2" } });
    if ((await newest()) < health.migration)
      fail("service_unavailable", { detail: "The database is not migrated yet.", headers: { "retry-after": "2" } });
    return reply.type("application/json").send('{"status":"ready"}');
  });
  app.get("/metrics", async (request, reply) => {
    if (health.authenticate !== null) await authenticateRequest(health.authenticate, health.limits, request, reply);
    return reply.type(health.metrics.content_type).send(await health.metrics.render());
  });
  for (const url of ["/healthz", "/readyz", "/metrics"]) refuseOtherMethods(app, url, ["GET"]);
}

/** Asks the database for its newest migration. That it does not answer is logged once, and so is that it answers again. */
function createProbe({ db, log }: Health): () => Promise<number> {
  let answering = true;
  return async () => {
    try {
      const [row] = await withinTime(db.byKey.query<{ number: number }>(newestMigration));
      if (!answering) log.info("the database answers again");
      answering = true;
      return row?.number ?? 0;
    } catch (error) {
      if (answering) log.error({ err: error }, "the database does not answer: the service is not ready");
      answering = false;
      fail("service_unavailable", { detail: "The database does not answer.", headers: { "retry-after": "2" } });
    }
  };
}

async function withinTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("Connection terminated: no answer in time")), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}
