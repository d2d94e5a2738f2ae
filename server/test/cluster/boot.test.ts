import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { readMigrations } from "../../src/platform/db/migrate.ts";
import { MIGRATIONS } from "../../src/service.ts";
import { clusterEnvironment } from "../harness/cluster.ts";
import { halfChanges } from "../harness/consistency.ts";
import { type DataDir, makeDataDir } from "../harness/data-dir.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type Environment, killServices, launchService, type ServiceProcess, startService } from "../harness/service-process.ts";
import { sized } from "../harness/size.ts";
import { BASE } from "../harness/world.ts";
import { cleanUp, eventually, untilStopped } from "../postgres/processes.ts";

const PROCESSES = sized(2, 3);
const databases: TestDatabase[] = [];

afterEach(async () => {
  await killServices();
  for (const database of databases.splice(0)) await database.drop();
  await cleanUp();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ migrated: false });
  databases.push(database);
  return database;
}

function bootTogether(environment: Environment): Promise<ServiceProcess[]> {
  return Promise.all(Array.from({ length: PROCESSES }, () => startService(environment)));
}

/** One programme, made once, whose key works on every process. */
async function expectOneFirstRun(services: ServiceProcess[], data_dir: DataDir, sql: TestDatabase["sql"]): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS);
  expect(await sql("select number from migrations order by 1")).toEqual(migrations.map(({ number }) => ({ number })));
  const [counts] = await sql<object>(`
    select (select count(*)::int from programme) as programmes, (select count(*)::int from partners) as partners,
      (select count(*)::int from users where role = 'operator') as operators, (select count(*)::int from keys) as keys`);
  expect(counts).toEqual({ programmes: 1, partners: 2, operators: 1, keys: 2 });
  const { api_key, partner_id } = await data_dir.firstRun();
  for (const { call } of services) {
    expect((await call("GET", "/readyz")).status).toBe(200);
    const { status, body } = await call("GET", `${BASE}/me`, { key: api_key });
    expect([status, body.partner_id]).toEqual([200, partner_id]);
    const { body: created } = await call("POST", `${BASE}/clients`, { key: api_key, body: { company: "Booted" } });
    expect(created.partner_id).toBe(partner_id);
  }
  expect(await halfChanges(sql)).toEqual([]);
}

function firstRunsAnnounced(services: ServiceProcess[]): number {
  return services.filter(({ stdout }) => stdout().includes("first-run.json")).length;
}

describe(`${PROCESSES} processes that boot at once`, () => {
  test("on an empty database: one migration, one first run, and all become ready", async () => {
    const database = await emptyDatabase();
    const data_dir = await makeDataDir();
    const services = await bootTogether(clusterEnvironment(database, data_dir));
    await expectOneFirstRun(services, data_dir, database.sql);
    expect(firstRunsAnnounced(services)).toBe(1);
  });

  test("on one fresh DATA_DIR: one cluster, one first-run.json, and all become ready", async () => {
    const data_dir = await makeDataDir();
    const services = await bootTogether({ DATA_DIR: data_dir.path });
    await expectOneFirstRun(services, data_dir, data_dir.sql);
    expect(firstRunsAnnounced(services)).toBe(1);
    const files = (await readdir(data_dir.path)).sort();
    expect(files).toEqual(["first-run.json", "postgres", "postgres.log", "postgres.socket", "secret.key"]);
    for (const service of services) expect(await service.stop()).toEqual({ code: 0, signal: null });
    await untilStopped(data_dir.data);
  });
});

/** Instants of a first boot at which half of it is done. */
const INSTANTS: Record<string, (database: TestDatabase, data_dir: DataDir) => Promise<boolean>> = {
  "the migrations table is there": async ({ sql }) =>
    (await sql("select 1 where to_regclass('public.migrations') is not null")).length > 0,
  "some of the migrations are there": async ({ sql }) =>
    (await sql("select 1 where to_regclass('public.webhook_endpoints') is not null")).length > 0,
  "the secrets of the first run are written": (_database, { path }) =>
    access(join(path, "first-run.json")).then(
      () => true,
      () => false,
    ),
};

describe("a first boot that is killed", () => {
  test(`once ${Object.keys(INSTANTS).join(", then once ")}: each start goes on from there, and the last completes it`, async () => {
    const database = await emptyDatabase();
    const data_dir = await makeDataDir();
    const environment = clusterEnvironment(database, data_dir);
    for (const [instant, isReached] of Object.entries(INSTANTS)) {
      const doomed = launchService(environment);
      await eventually(instant, async () => (await isReached(database, data_dir)) || null);
      await doomed.kill();
    }
    await expectOneFirstRun([await startService(environment)], data_dir, database.sql);
  });
});
