import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type App, createApp } from "../../src/app.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { type Backup, contentOf, KNOWN_MIGRATIONS, restoreInto, takeBackup } from "../harness/backup.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { checkReply } from "../harness/reply-schema.ts";
import { BASE } from "../harness/world.ts";
import { OLD_KEY, openOldDatabases, type Rows, rowsOf } from "./old-databases.ts";

/** What became of a database of a migration: its backup, its rows before and after, and what it holds at the newest. */
type Life = {
  db: TestDatabase;
  backup: Backup;
  applied: string[];
  before: Rows;
  after: Rows;
  content: Record<string, string>;
};

let old: Map<number, TestDatabase>;
const lives = new Map<number, Promise<Life>>();

beforeAll(async () => {
  old = await openOldDatabases();
});
afterAll(async () => {
  for (const db of old?.values() ?? []) await db.drop();
});

/** Migrates the database of a migration to the newest, once for all tests of it. */
function lifeOf(number: number): Promise<Life> {
  const life = lives.get(number) ?? migrateOld(number);
  lives.set(number, life);
  return life;
}

async function migrateOld(number: number): Promise<Life> {
  const db = old.get(number) ?? expect.unreachable();
  const backup = await takeBackup(db);
  const before = await rowsOf(db);
  const applied = await migrate(db.owner, KNOWN_MIGRATIONS, db.service.user);
  return { db, backup, applied, before, after: await rowsOf(db), content: await contentOf(db) };
}

/** What each migration makes for every account that is there: a pipeline and its six stages. */
const MADE_FOR_ACCOUNTS = [{ by: 8, tables: /^(pipelines|stages) /, rows: 7 }];

/**
 * The rows as migration 13 leaves them: images of contacts that a lead was merged into are among those of all records, with the lead as
 * their source, and the place of an import in its file is called byte_offset.
 */
function afterMigration13(number: number, before: Rows): Rows {
  if (number >= 13) return before;
  const after: Rows = new Map();
  for (const [key, { place, ...row }] of before) {
    if (!key.startsWith("contact_images ")) after.set(key, place === undefined ? row : { ...row, byte_offset: place });
    const { id, partner_id, contact_id, conversion } = row;
    const { contact, contact_version: version } = (conversion ?? {}) as { contact?: string; contact_version?: number };
    if (contact !== "filled") continue;
    const image = before.get(`contact_images ${rowKey(partner_id, contact_id, version)}`);
    const moved = { partner_id, source_id: id, record_id: contact_id, version, before: image?.before };
    after.set(`record_images ${rowKey(partner_id, id, contact_id)}`, moved);
  }
  return after;
}

const rowKey = (...parts: unknown[]) => JSON.stringify(parts).replaceAll(",", ", ");

/** Every row of before is there, every column of it has the value that it had, and nothing came but what later migrations make. */
function expectAllKept(number: number, original: Rows, after: Rows): void {
  const before = afterMigration13(number, original);
  for (const [key, content] of before) expect(after.get(key), key).toMatchObject(content);
  const accounts = [...before.keys()].filter((key) => key.startsWith("clients ")).length;
  let added = [...after.keys()].filter((key) => !before.has(key));
  for (const { tables, rows } of MADE_FOR_ACCOUNTS.filter(({ by }) => by > number)) {
    expect(added.filter((key) => tables.test(key))).toHaveLength(accounts * rows);
    added = added.filter((key) => !tables.test(key));
  }
  expect(added).toEqual([]);
}

async function callOn({ http }: App, method: "GET" | "POST", path: string, body?: object, base = BASE) {
  const reply = await http.inject({
    method,
    url: `${base}${path}`,
    headers: { authorization: `Bearer ${OLD_KEY}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  checkReply(method, `${base}${path}`, reply.statusCode, reply.json());
  return { status: reply.statusCode, body: reply.json() };
}

function openApp(db: TestDatabase): Promise<App> {
  return createApp({
    connection: db.service,
    connections_max: 4,
    secret_key: "0123456789abcdef0123456789abcdef",
    baseUrl: () => "http://tributary.test",
    migration: KNOWN_MIGRATIONS.at(-1)?.number ?? 0,
    log: pino({ level: "silent" }),
  });
}

/** The key of that time works, lists show what was there, writes and the feed go on. */
async function expectServes(db: TestDatabase): Promise<void> {
  const app = await openApp(db);
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
    const { db, applied, before, after } = await lifeOf(number);
    expect(applied).toEqual(KNOWN_MIGRATIONS.slice(number).map(({ file }) => file));
    expectAllKept(number, before, after);
    await expectServes(db);
  });

  test("has backups that this version restores, to what the migration itself makes", async () => {
    const { backup, content } = await lifeOf(number);
    expect(backup.manifest.migrations.at(-1)?.number).toBe(number);
    const restored = await createTestDatabase({ migrated: false });
    try {
      await restoreInto(restored, backup.bytes);
      expect(await contentOf(restored)).toEqual(content);
      expect(await migrate(restored.owner, KNOWN_MIGRATIONS, restored.service.user)).toEqual([]);
    } finally {
      await restored.drop();
    }
  });
});

test("a lead that was converted before migration 13 can be unconverted", async () => {
  const { db } = await lifeOf(12);
  await db.sql("update keys set scopes = scopes || '{contacts:read,contacts:write,leads:write}'");
  await db.sql("update clients set status = 'active'");
  await db.sql("update leads set converted_at = now() where converted_at is not null");
  const app = await openApp(db);
  try {
    app.setReadiness("ready");
    const unconverted = await callOn(app, "POST", "/leads/lead_01m90000000000000000000005/unconvert", undefined, "/v1");
    expect([unconverted.status, unconverted.body.status]).toEqual([200, "qualified"]);
    const contact = await callOn(app, "GET", "/contacts/con_01m70000000000000000000005", undefined, "/v1");
    expect(contact.body).toMatchObject({ name: "Before the lead", company: null, version: 4 });
  } finally {
    await app.close();
  }
});
