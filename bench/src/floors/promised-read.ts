// What every read promises by itself: the service's own server with its request ids, metrics and log line, its look-up of the key and its limit,
// and then nothing but the read of the floor. No permission, check of parameters, audit count or ETag.
import { openSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { clientOrNull } from "@tributary/server/src/features/accounts/clients/queries.ts";
import { contactsPage } from "@tributary/server/src/features/crm/contacts/list.queries.ts";
import { contactOrNull } from "@tributary/server/src/features/crm/contacts/queries.ts";
import { findKeys } from "@tributary/server/src/features/programme/keys/lookup.queries.ts";
import { systemClock as clock } from "@tributary/server/src/kernel/clock.ts";
import type { KeyPrincipal, TenantScope } from "@tributary/server/src/kernel/principal.ts";
import { openDatabase } from "@tributary/server/src/platform/db/database.ts";
import { createKeyAuthenticator } from "@tributary/server/src/platform/http/authenticator.ts";
import { createRequestLimits } from "@tributary/server/src/platform/http/request-limits.ts";
import { createServer } from "@tributary/server/src/platform/http/server.ts";
import { createLimiter } from "@tributary/server/src/platform/limits/limiter.ts";
import { LOG_OPTIONS } from "@tributary/server/src/platform/observe/log.ts";
import { createLogOutput } from "@tributary/server/src/platform/observe/log-output.ts";
import { createMetrics } from "@tributary/server/src/platform/observe/metrics.ts";
import { pino } from "pino";
import { POOL_SIZE, readSetting } from "./floor.ts";

const { connection, partner_id } = readSetting();
const scope: TenantScope = { partner_id, clients: "all" };
const db = openDatabase(connection, POOL_SIZE);
const authenticate = createKeyAuthenticator(findKeys(db.byKey, clock, () => undefined));
const limits = createRequestLimits(createLimiter(db.byKey));
const log = pino(LOG_OPTIONS, createLogOutput(openSync("/dev/null", "w")));
const app = createServer({ baseUrl: () => "", clock, log, metrics: createMetrics(db) });

const LIMIT = 50;

const READS: Record<string, (id: string, caller: KeyPrincipal) => Promise<string>> = {
  "/v1/partners/me": async (_id, { company, grade, scopes }) =>
    JSON.stringify({ partner_id, company, grade, scopes: [...scopes] }),
  "/v1/partners/clients/:id": async (id) => (await clientOrNull(db.byKey, scope, id))?.json ?? "",
  "/v1/contacts/:id": async (id) => (await contactOrNull(db.byKey, scope, id))?.json ?? "",
  "/v1/contacts": async () => (await contactsPage(db, scope, { limit: LIMIT })).json,
};

for (const [path, read] of Object.entries(READS)) {
  app.get(path, {
    async onRequest(request, reply) {
      request.principal = await authenticate(request);
      await limits.limitCaller(request.principal, reply);
    },
    async handler(request, reply) {
      const json = await read((request.params as { id?: string }).id ?? "", request.principal as KeyPrincipal);
      return reply.header("request-id", request.id).header("content-type", "application/json; charset=utf-8").send(json);
    },
  });
}

await app.listen({ port: 0, host: "127.0.0.1" });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.on("disconnect", () => process.exit(0));
