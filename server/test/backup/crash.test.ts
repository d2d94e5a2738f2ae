import { access, readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentOf, killCommands, runCommand, startCommand, takeBackup } from "../harness/backup.ts";
import { clusterEnvironment } from "../harness/cluster.ts";
import { makeDataDir } from "../harness/data-dir.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import type { Environment } from "../harness/service-process.ts";
import { cleanUp, eventually } from "../postgres/processes.ts";

let db: TestDatabase;
let environment: Environment;
let folder: string;
let file: string;

beforeAll(async () => {
  db = await createTestDatabase();
  const data_dir = await makeDataDir();
  environment = clusterEnvironment(db, data_dir);
  folder = data_dir.path;
  file = join(folder, "crash.backup");
  await db.sql("insert into partners (id, company, created_at, updated_at) values ('ptr_1', 'Agency', now(), now())");
  await db.sql(`insert into clients (partner_id, id, company, currency, status, status_changed_at, created_at, updated_at)
    select 'ptr_1', 'cli_' || lpad(i::text, 26, '0'), md5(i::text), 'usd', 'active', now(), now(), now() from generate_series(1, 3000) i`);
  await db.sql(`insert into events (partner_id, id, body)
    select 'ptr_1', 'evt_' || lpad(i::text, 26, '0'), sha512(i::text::bytea) || sha512((-i)::text::bytea) from generate_series(1, 20000) i`);
});

afterAll(async () => {
  await killCommands();
  await db?.drop();
  await cleanUp();
});

const hold = useHolds(() => db.connect());

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function drafts(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(basename(file)) && name.endsWith(".partial"));
}

/** Every session of the killed process must be gone, and with it what it had not committed. */
function untilGone(name: string): Promise<unknown> {
  return eventually(`the sessions of ${name} to end`, async () => {
    const rows = await db.sql("select 1 from pg_stat_activity where application_name = $1 and datname = current_database()", [
      name,
    ]);
    return rows.length === 0 || null;
  });
}

test("kill -9 of a backup at its first and its last table: no file under its name, and the next one works and clears up", async () => {
  for (const table of ["access_requests", "webhook_secrets"]) {
    const { release } = await hold(`lock table ${table} in access exclusive mode`);
    const backup = startCommand(["backup", file], environment);
    await untilWaiting(db.sql, TABLE_LOCKS, 1);
    expect(await drafts()).toHaveLength(1);
    await backup.kill();
    await untilGone("tributary backup");
    await release();
    expect(await exists(file)).toBe(false);
  }
  const manifest = await runCommand(["backup", file], environment);
  expect(await drafts()).toEqual([]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await runCommand(["backup", "--check", file], {})).toEqual(manifest);
});

test("kill -9 of a backup leaves the one before it whole, and an interrupted one nothing of its own", async () => {
  const before = await readFile(file);
  const { release } = await hold("lock table users in access exclusive mode");
  const killed = startCommand(["backup", file], environment);
  await untilWaiting(db.sql, TABLE_LOCKS, 1);
  await killed.kill();
  await untilGone("tributary backup");
  const interrupted = startCommand(["backup", file], environment);
  await untilWaiting(db.sql, TABLE_LOCKS, 1);
  interrupted.interrupt();
  expect(await interrupted.ended).toMatchObject({ code: 1, signal: null, stderr: expect.stringContaining("Interrupted.") });
  expect(await drafts()).toEqual([]);
  expect(await readFile(file)).toEqual(before);
  await release();
});

test("kill -9 of a restore at any byte: the database is as it was, and the next restore works", async () => {
  const bytes = await readFile(file);
  const wanted = await contentOf(db);
  await db.sql("update partners set company = 'Changed since'");
  await db.sql("delete from events where id > 'evt_' || lpad('100', 26, '0')");
  const before = await contentOf(db);
  expect(before).not.toEqual(wanted);
  for (const share of [0.1, 0.5, 1]) {
    const restore = startCommand(["restore", "-", "--force", "--yes"], environment);
    // The last byte is held back, so that it cannot end before it is killed.
    restore.stdin.write(bytes.subarray(0, Math.floor((bytes.length - 1) * share)));
    await eventually("the restore to be in the middle", async () => {
      const rows = await db.sql(
        `select from pg_stat_activity where application_name = 'tributary restore' and datname = current_database()
           and xact_start is not null and (query ilike 'copy %' or $1)`,
        [share < 0.2],
      );
      return rows.length > 0 || null;
    });
    await restore.kill();
    await untilGone("tributary restore");
    expect(await contentOf(db)).toEqual(before);
  }
  await runCommand(["restore", file, "--force", "--yes"], environment);
  expect(await contentOf(db)).toEqual(wanted);
  expect((await takeBackup(db)).manifest.rows).toBeGreaterThan(23_000);
});

test("a file that cannot be written is told before anything is read", async () => {
  const { code, stderr } = await startCommand(["backup", join(dirname(file), "nowhere", "x.backup")], environment).ended;
  expect(code).toBe(1);
  expect(stderr).toContain("cannot be written (ENOENT)");
});
