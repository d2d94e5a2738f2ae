import { isDeepStrictEqual } from "node:util";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type App, createApp } from "../../src/app.ts";
import { migrate } from "../../src/platform/db/migrate.ts";
import { type Backup, KNOWN_MIGRATIONS, restoreInto } from "../harness/backup.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { checkReply } from "../harness/reply-schema.ts";
import { sized } from "../harness/size.ts";
import { BASE } from "../harness/world.ts";
import { dataOf, liveThroughMigrations, OLD_KEY, type OldDatabase, type Row, type Rows, rowsOf, upTo } from "./old-databases.ts";

const NEWEST = KNOWN_MIGRATIONS.length;
const NUMBERS = KNOWN_MIGRATIONS.map(({ number }) => number);
/** A restore runs all migrations: from every time it would grow with their square. Each still runs over restored rows of several times. */
const RESTORED = sized(
  NUMBERS.filter((number) => number === 1 || number % 12 === 0 || number === NEWEST),
  NUMBERS,
);
/** The last migration before images of contacts became images of all records. */
const UNCONVERTED = 12;

let living: TestDatabase;
let old: OldDatabase[];

beforeAll(async () => {
  living = await createTestDatabase({ migrated: false });
  old = await liveThroughMigrations(living, [...RESTORED, UNCONVERTED], (number, before, after) =>
    expectAllKept(number - 1, number, before, after),
  );
});
afterAll(() => living?.drop());

async function onNewDatabase(work: (db: TestDatabase) => Promise<void>): Promise<void> {
  const db = await createTestDatabase({ migrated: false });
  try {
    await work(db);
  } finally {
    await db.drop();
  }
}

/** What each migration makes for every account that is there: a pipeline and its six stages. */
const MADE_FOR_ACCOUNTS = [{ by: 8, tables: /^(pipelines|stages) /, rows: 7 }];

/**
 * The rows as migration 13 leaves them: images of contacts that a lead was merged into are among those of all records, with the lead as
 * their source, and the place of an import in its file is called byte_offset.
 */
function afterMigration13(before: Rows): Rows {
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

/** The snapshots that new accounts were to have: they could be named before there were any, and none of them exists. */
const afterMigration26 = (rows: Rows): Rows =>
  new Map([...rows].map(([key, row]) => [key, key.startsWith("partners ") ? { ...row, default_snapshots: [] } : row]));

const rowKey = (...parts: unknown[]) => JSON.stringify(parts).replaceAll(",", ", ");

/** Nothing in a row has changed: `toMatchObject`, which takes much longer, is asked about the others. */
const isKept = (content: Row, after: Row | undefined) =>
  after !== undefined && Object.keys(content).every((column) => isDeepStrictEqual(after[column], content[column]));

/** Every row of before is there, every column of it has the value that it had, and nothing came but what the migrations make. */
function expectAllKept(from: number, to: number, original: Rows, after: Rows): void {
  const ran = (number: number) => from < number && number <= to;
  const moved = ran(13) ? afterMigration13(original) : original;
  const before = ran(26) ? afterMigration26(moved) : moved;
  for (const [key, content] of before) if (!isKept(content, after.get(key))) expect(after.get(key), key).toMatchObject(content);
  const accounts = [...before.keys()].filter((key) => key.startsWith("clients ")).length;
  let added = [...after.keys()].filter((key) => !before.has(key));
  for (const { tables, rows } of MADE_FOR_ACCOUNTS.filter(({ by }) => ran(by))) {
    expect(added.filter((key) => tables.test(key))).toHaveLength(accounts * rows);
    added = added.filter((key) => !tables.test(key));
  }
  // The default programme: four tiers with a rule each, and the plans that were in use.
  if (ran(23)) {
    expect(added.filter((key) => /^(tiers|commission_rules) /.test(key))).toHaveLength(8);
    added = added.filter((key) => !/^(tiers|commission_rules|plans) /.test(key));
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

test("a database that lived through every migration serves, with every value kept at each step", async () => {
  expect(old.map(({ number }) => number)).toEqual(KNOWN_MIGRATIONS.map(({ number }) => number));
  await expectServes(living);
});

test("a database of the first migration is migrated to the newest at once, and serves", async () => {
  await onNewDatabase(async (db) => {
    await migrate(db.owner, upTo(1), db.service.user);
    await db.sql(await dataOf(1));
    const before = await rowsOf(db);
    expect(await migrate(db.owner, KNOWN_MIGRATIONS, db.service.user)).toEqual(KNOWN_MIGRATIONS.slice(1).map(({ file }) => file));
    expectAllKept(1, NEWEST, before, await rowsOf(db));
    await expectServes(db);
  });
});

const backupOf = (number: number): Backup => old[number - 1]?.backup ?? expect.unreachable();

test.each(RESTORED)("a backup of migration %i is restored to the newest, with every value kept", async (number) => {
  const { rows } = old[number - 1] ?? expect.unreachable();
  const backup = backupOf(number);
  expect(backup.manifest.migrations.at(-1)?.number).toBe(number);
  await onNewDatabase(async (db) => {
    await restoreInto(db, backup.bytes);
    expectAllKept(number, NEWEST, rows, await rowsOf(db));
    expect(await migrate(db.owner, KNOWN_MIGRATIONS, db.service.user)).toEqual([]);
  });
});

test("a lead that was converted before migration 13 can be unconverted", async () => {
  await onNewDatabase(async (db) => {
    await restoreInto(db, backupOf(UNCONVERTED).bytes);
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
});
