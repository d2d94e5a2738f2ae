import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countRows } from "../../src/platform/backup/format.ts";
import { readBackup } from "../../src/platform/backup/read-file.ts";
import { claimAlone } from "../../src/platform/db/presence.ts";
import { openSession } from "../../src/platform/db/session.ts";
import { inPieces, killCommands, runCommand, startCommand, takeBackup } from "../harness/backup.ts";
import { clusterEnvironment } from "../harness/cluster.ts";
import { halfChanges } from "../harness/consistency.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type Environment, killServices, launchService, type ServiceProcess, startService } from "../harness/service-process.ts";
import { createDemoDatabase } from "../harness/templates.ts";
import { BASE } from "../harness/world.ts";
import { startWriteStream } from "../harness/write-stream.ts";
import { cleanUp, eventually } from "../postgres/processes.ts";

const ACKNOWLEDGED_BEFORE = 100;

let source: TestDatabase;
let target: TestDatabase;
let environment: Environment;
let target_environment: Environment;
let service: ServiceProcess;
let key: string;
let file: string;

beforeAll(async () => {
  const data_dir = await makeDataDir();
  source = await createDemoDatabase(data_dir.path);
  target = await createTestDatabase({ migrated: false });
  environment = clusterEnvironment(source, data_dir);
  target_environment = { ...environment, DATABASE_URL: target.url("service"), DATABASE_OWNER_URL: target.url("owner") };
  service = await startService(environment);
  key = (await data_dir.firstRun()).api_key;
  file = join(data_dir.path, "live.backup");
});

afterAll(async () => {
  await killCommands();
  await killServices();
  await source?.drop();
  await target?.drop();
  await cleanUp();
});

type AuditRow = { id: string; body: string; leaf_hash: string };
const AUDIT = "select id, encode(body, 'hex') as body, encode(leaf_hash, 'hex') as leaf_hash from audit_entries order by id";

test("a backup under load, restored: nothing acknowledged before it is missing, and everything goes on from there", async () => {
  const stream = startWriteStream(service, key);
  await eventually("writes to be acknowledged", () => stream.acknowledged() >= ACKNOWLEDGED_BEFORE || null);
  const { body: feed } = await service.call("GET", `${BASE}/events?limit=50`, { key });
  const created = new Map(stream.created);
  const suspended = new Set(stream.suspended);
  const manifest = await runCommand(["backup", file], environment);
  const acknowledged = stream.acknowledged();
  await eventually("writes to go on", () => stream.acknowledged() > acknowledged || null);
  await stream.stop();
  expect(stream.refused).toBe(0);

  await runCommand(["restore", file], target_environment);
  expect((await takeBackup(target)).manifest.tables).toEqual(manifest.tables);
  expect(await halfChanges(target.sql)).toEqual([]);
  const clients = await target.sql<{ id: string; company: string; status: string }>("select id, company, status from clients");
  const byId = new Map(clients.map((client) => [client.id, client]));
  for (const [company, id] of created) expect(byId.get(id)?.company).toBe(company);
  for (const id of suspended) expect(byId.get(id)?.status).toBe("suspended");
  const leaves = new Map((await source.sql<AuditRow>(AUDIT)).map((entry) => [entry.id, entry]));
  const kept = await target.sql<AuditRow>(AUDIT);
  expect(kept.length).toBeGreaterThanOrEqual(created.size + suspended.size);
  for (const entry of kept) expect(entry).toEqual(leaves.get(entry.id));
  await expectFeedGoesOn(await startService(target_environment), feed.next_cursor);
});

/** An old cursor leads to the same events as before, and then to new ones, each once. */
async function expectFeedGoesOn(restored: ServiceProcess, cursor: string): Promise<void> {
  const follow = async (from: ServiceProcess, after: string) => {
    const { status, body } = await from.call("GET", `${BASE}/events?limit=100&after=${encodeURIComponent(after)}`, { key });
    expect(status).toBe(200);
    return body as { data: { id: string }[]; next_cursor: string; has_more: boolean };
  };
  const there = await follow(service, cursor);
  const here = await follow(restored, cursor);
  expect(here.data.length).toBeGreaterThan(0);
  expect(there.data.slice(0, here.data.length).map(({ id }) => id)).toEqual(here.data.map(({ id }) => id));
  let last = here;
  while (last.has_more) last = await follow(restored, last.next_cursor);
  const { status, body } = await restored.call("POST", `${BASE}/clients`, { key, body: { company: "After the restore" } });
  expect(status).toBe(201);
  const next = await follow(restored, last.next_cursor);
  const [event] = next.data as unknown as { type: string; data: { client_id: string } }[];
  expect([event?.type, event?.data.client_id]).toEqual(["client.created", body.id]);
}

describe("while a service runs", () => {
  test("a restore is refused, also after the service has lost its connections", async () => {
    const restoring = () => startCommand(["restore", file, "--force", "--yes"], environment).ended;
    const refused = { code: 1, stderr: expect.stringContaining("A service or worker is running on this database.") };
    expect(await restoring()).toMatchObject(refused);
    const cut = await source.sql<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'tributary presence' and datname = current_database()",
    );
    expect(cut).toHaveLength(1);
    const administrator = await openSession({ ...source.owner, user: "postgres" }, "test");
    await administrator.query("select pg_terminate_backend($1)", [cut[0]?.pid]);
    await administrator.end();
    await eventually("the service to announce itself again", async () => {
      const rows = await source.sql<{ pid: number }>(
        "select a.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid where l.locktype = 'advisory' and a.application_name = 'tributary presence' and a.datname = current_database()",
      );
      return rows.some(({ pid }) => pid !== cut[0]?.pid) || null;
    });
    expect(await restoring()).toMatchObject(refused);
  });
});

test("while a restore runs, a service does not start, and starts afterwards", async () => {
  const database = await createTestDatabase();
  try {
    const session = await openSession(database.owner, "restore");
    expect(await claimAlone(session)).toBe(true);
    const here = { ...environment, DATABASE_URL: database.url("service"), DATABASE_OWNER_URL: database.url("owner") };
    const start = launchService(here);
    expect(await start.ended).toEqual({ code: 1, signal: null });
    expect(start.stderr()).toContain("A restore is running on this database. Start again when it has finished.");
    await session.end();
    const { kill } = await startService(here);
    await kill();
  } finally {
    await database.drop();
  }
});

describe("what the one who restores must agree to", () => {
  test("deleting what is there, by --force and by --yes", async () => {
    await killServices();
    const without = await startCommand(["restore", file], environment).ended;
    expect(without).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database is not empty: .*2 partners/) });
    const unasked = await startCommand(["restore", file, "--force"], environment).ended;
    expect(unasked).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Confirm with --yes that this data may be deleted."),
    });
  });

  test("a secret key that does not open what is sealed, by --other-key", async () => {
    const other = { ...environment, SECRET_KEY: "another key that is long enough, surely" };
    const refused = await startCommand(["restore", file, "--force", "--yes"], other).ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/another secret key.*Webhook secrets/s) });
    const agreed = await startCommand(["restore", file, "--force", "--yes", "--other-key"], other).ended;
    expect(agreed).toMatchObject({ code: 0, stderr: expect.stringContaining("cannot be decrypted") });
  });
});

test("neither the secret key nor an API key is in the file", async () => {
  const bytes = await readFile(file);
  const parts: Buffer[] = [bytes];
  const keep = async (_start: object, pieces: AsyncIterable<Buffer>) => {
    const before = parts.length;
    for await (const piece of pieces) parts.push(piece);
    return countRows(Buffer.concat(parts.slice(before)));
  };
  await readBackup(inPieces(bytes, 4_099), async () => ({ table: keep, finish: async () => undefined }));
  const everything = Buffer.concat(parts);
  expect(everything.includes("client.created")).toBe(true);
  for (const secret of [environment.SECRET_KEY ?? "", key]) expect(everything.includes(secret)).toBe(false);
});
