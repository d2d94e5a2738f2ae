import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { type App, createApp } from "../../src/app.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { contentOf, KNOWN_MIGRATIONS, restoreInto, takeBackup } from "../harness/backup.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { checkReply } from "../harness/reply-schema.ts";
import { BASE } from "../harness/world.ts";
import { OLD_KEY, openOldDatabase, type Rows, rowsOf } from "./old-databases.ts";

const databases: TestDatabase[] = [];

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});

/** What each migration makes for every account that is there: a pipeline and its six stages. */
const MADE_FOR_ACCOUNTS = [{ by: 8, tables: /^(pipelines|stages) /, rows: 7 }];

/** Every row of before is there, every column of it has the value that it had, and nothing came but what later migrations make. */
function expectAllKept(number: number, before: Rows, after: Rows): void {
  for (const [key, content] of before) expect(after.get(key), key).toMatchObject(content);
  const accounts = [...before.keys()].filter((key) => key.startsWith("clients ")).length;
  let added = [...after.keys()].filter((key) => !before.has(key));
  for (const { tables, rows } of MADE_FOR_ACCOUNTS.filter(({ by }) => by > number)) {
    expect(added.filter((key) => tables.test(key))).toHaveLength(accounts * rows);
    added = added.filter((key) => !tables.test(key));
  }
  expect(added).toEqual([]);
}

async function callOn({ http }: App, method: "GET" | "POST", path: string, body?: object) {
  const reply = await http.inject({
    method,
    url: `${BASE}${path}`,
    headers: { authorization: `Bearer ${OLD_KEY}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  checkReply(method, `${BASE}${path}`, reply.statusCode, reply.json());
  return { status: reply.statusCode, body: reply.json() };
}

/** The key of that time works, lists show what was there, writes and the feed go on. */
async function expectServes(db: TestDatabase): Promise<void> {
  const app = await createApp({
    connection: db.service,
    connections_max: 4,
    secret_key: "0123456789abcdef0123456789abcdef",
    baseUrl: () => "http://tributary.test",
    migration: KNOWN_MIGRATIONS.at(-1)?.number ?? 0,
    log: pino({ level: "silent" }),
  });
  try {
    app.setReadiness("ready");
    expect((await app.http.inject({ url: "/readyz" })).statusCode).toBe(200);
    expect((await callOn(app, "GET", "/clients?limit=100&include_house=true")).body.data).toHaveLength(40);
    expect((await callOn(app, "GET", "/clients?q=person3&limit=100")).body.data.length).toBeGreaterThan(5);
    const feed = await callOn(app, "GET", "/events?limit=100");
    const old_events = feed.body.data.length;
    expect(old_events).toBeGreaterThan(7);
    expect((await callOn(app, "GET", "/audit-log?action=clients.churn&limit=100")).body.data).toHaveLength(10);
    const created = await callOn(app, "POST", "/clients", { company: "Born later" });
    expect(created.status).toBe(201);
    expect((await callOn(app, "POST", "/clients/cli_01m70000000000000000000005/suspend", {})).status).toBe(200);
    const next = await callOn(app, "GET", `/events?after=${encodeURIComponent(feed.body.next_cursor)}`);
    expect(next.body.data.map(({ type }: { type: string }) => type)).toEqual([
      "client.created",
      "client.activated",
      "client.suspended",
    ]);
  } finally {
    await app.close();
  }
}

describe.each(KNOWN_MIGRATIONS.map(({ number }) => number))("a database of migration %i", (number) => {
  test("is migrated to the newest with every value kept, and the service works on it", async () => {
    const db = await openOldDatabase(number);
    databases.push(db);
    const before = await rowsOf(db);
    const applied = await migrate(db.owner, KNOWN_MIGRATIONS, db.service.user);
    expect(applied).toEqual(KNOWN_MIGRATIONS.slice(number).map(({ file }) => file));
    expectAllKept(number, before, await rowsOf(db));
    await expectServes(db);
  });

  test("has backups that this version restores, to what the migration itself makes", async () => {
    const old = await openOldDatabase(number);
    const restored = await createTestDatabase({ migrated: false });
    databases.push(old, restored);
    const { bytes, manifest } = await takeBackup(old);
    expect(manifest.migrations.at(-1)?.number).toBe(number);
    await restoreInto(restored, bytes);
    await migrate(old.owner, KNOWN_MIGRATIONS, old.service.user);
    expect(await contentOf(restored)).toEqual(await contentOf(old));
    expect(await migrate(restored.owner, KNOWN_MIGRATIONS, restored.service.user)).toEqual([]);
  });
});
