import { afterAll, beforeAll, expect, test } from "vitest";
import { type Migration, migrate } from "../../src/platform/db/migrate.ts";
import { KNOWN_MIGRATIONS } from "../harness/backup.ts";
import { clusterEnvironment } from "../harness/cluster.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import type { TestDatabase } from "../harness/database.ts";
import { type Environment, killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { createDemoDatabase } from "../harness/templates.ts";
import { BASE } from "../harness/world.ts";
import { expectNothingLost, startWriteStream } from "../harness/write-stream.ts";
import { cleanUp, eventually } from "../postgres/processes.ts";

const AFTER_NEWEST = (KNOWN_MIGRATIONS.at(-1)?.number ?? 0) + 1;

/** What an additive migration may do to tables in use: columns, with and without a default, indexes made and dropped, tables, functions. */
const LATER: Migration = {
  number: AFTER_NEWEST,
  file: `${String(AFTER_NEWEST).padStart(4, "0")}_later.sql`,
  checksum: "later",
  sql: `
    ${[
      "partners",
      "users",
      "keys",
      "clients",
      "events",
      "event_feed",
      "feed_heads",
      "audit_entries",
      "idempotency_replies",
      "rate_buckets",
    ]
      .map((table) => `alter table ${table} add column later_note text, add column later_count int not null default 7;`)
      .join("\n")}
    drop index audit_entries_denied;
    create index clients_later on clients (partner_id, later_count);
    create table later_things (partner_id text collate "C" not null references partners (id), id text collate "C" not null, primary key (partner_id, id));
    comment on table later_things is 'Of a later version.';
    create function later_count(text) returns int language sql stable return 7`,
};

let db: TestDatabase;
let environment: Environment;
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  const data_dir = await makeDataDir();
  db = await createDemoDatabase(data_dir.path);
  environment = clusterEnvironment(db, data_dir);
  service = await startService(environment);
  key = (await data_dir.firstRun()).api_key;
});
afterAll(async () => {
  await killServices();
  await db?.drop();
  await cleanUp();
});

const READS = [
  "/clients?limit=5",
  "/clients?q=dental",
  "/events?limit=5",
  "/audit-log?limit=5",
  "/keys",
  "/users",
  "/account",
  "/me",
];

/** Reads everything in turn until told to stop. Every answer must be good. */
function startReading(): { turns(): number; stop(): Promise<void> } {
  let turns = 0;
  let stopping = false;
  const read = async () => {
    while (!stopping) {
      const path = READS[turns % READS.length] ?? "";
      turns += 1;
      const { status, text } = await service.call("GET", `${BASE}${path}`, { key });
      if (status !== 200) throw new Error(`GET ${path} was answered with ${status}: ${text}`);
    }
  };
  const reading = Promise.all([read(), read()]);
  reading.catch(() => undefined);
  return {
    turns: () => turns,
    async stop() {
      stopping = true;
      await reading;
    },
  };
}

test("a service goes on reading and writing while a later version migrates: no request fails, then or afterwards", async () => {
  const writes = startWriteStream(service, key);
  const reads = startReading();
  const more = async (what: string) => {
    const [written, read] = [writes.acknowledged(), reads.turns()];
    await eventually(what, () => (writes.acknowledged() > written + 50 && reads.turns() > read + 2 * READS.length) || null);
  };
  await more("work before the migration");
  expect(await migrate(db.owner, [...KNOWN_MIGRATIONS, LATER], db.service.user)).toEqual([LATER.file]);
  await more("work after the migration");
  await reads.stop();
  await writes.stop();
  expect(writes.refused).toBe(0);
  expect((await service.call("GET", "/readyz")).status).toBe(200);
  await expectNothingLost([writes], db.sql);
});

test("the older version starts on the newer database too", async () => {
  const another = await startService(environment);
  const { status } = await another.call("POST", `${BASE}/clients`, { key, body: { company: "By the older one" } });
  expect(status).toBe(201);
});
