import { afterAll, afterEach, describe, expect, test } from "vitest";
import { newestKnownMigration } from "../../src/installation.ts";
import { clusterEnvironment } from "../harness/cluster.ts";
import { killCommands, runCommand, runForJson, startCommand } from "../harness/command.ts";
import { type DataDir, makeDataDir } from "../harness/data-dir.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { cleanUp, postgresProcesses, untilStopped } from "../postgres/processes.ts";

const databases: TestDatabase[] = [];

afterEach(async () => {
  await killCommands();
  for (const database of databases.splice(0)) await database.drop();
});
afterAll(cleanUp);

async function serverEnvironment({ migrated }: { migrated: boolean }) {
  const database = await createTestDatabase({ migrated });
  databases.push(database);
  return { database, environment: clusterEnvironment(database, await makeDataDir()) };
}

describe("a database at another migration than the code", () => {
  test("is refused before migrate, and not migrated by the way", async () => {
    const { database, environment } = await serverEnvironment({ migrated: false });
    const { code, stderr } = await runCommand(["keys", "list"], environment);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Run tributary migrate first.")]);
    expect(await database.sql("select 1 where to_regclass('public.clients') is not null")).toEqual([]);

    const newest = await newestKnownMigration();
    const done = await runForJson(["migrate"], environment);
    expect(done).toMatchObject({ migration: newest });
    expect(done.applied).toHaveLength(newest);
    expect(await runForJson(["migrate"], environment)).toEqual({ applied: [], migration: newest });
    expect(await runForJson(["partners", "list"], environment)).toMatchObject({ data: [] });
  });

  test("is refused where it is newer", async () => {
    const { database, environment } = await serverEnvironment({ migrated: true });
    await database.sql("insert into migrations (number, file, checksum) values (9999, '9999_later.sql', '')");
    const { code, stderr } = await runCommand(["clients", "list", "--json"], environment);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "installation", message: expect.stringContaining("9999") });
  });
});

describe("the embedded database", () => {
  const data_dirs: DataDir[] = [];
  const embedded = async () => {
    const data_dir = await makeDataDir();
    data_dirs.push(data_dir);
    return { data_dir, environment: { DATA_DIR: data_dir.path } };
  };

  test("is not made by a command that only looks", async () => {
    const { data_dir, environment } = await embedded();
    const { code, stderr } = await runCommand(["keys", "list"], environment);
    expect([code, stderr]).toEqual([1, expect.stringContaining("There is no database")]);
    expect(postgresProcesses(data_dir.path)).toEqual([]);
  });

  test("is made by migrate, started by a command and stopped after it", async () => {
    const { data_dir, environment } = await embedded();
    expect((await runCommand(["migrate"], environment)).code).toBe(0);
    await untilStopped(data_dir.data);
    expect(await runForJson(["partners", "list"], environment)).toMatchObject({ data: [] });
    await untilStopped(data_dir.data);
  });

  test("is stopped also where the command is interrupted", async () => {
    const { data_dir, environment } = await embedded();
    await runCommand(["migrate"], environment);
    const partner = ["--company", "Only", "--owner-email", "a@only.example", "--owner-name", "A", "--currency", "usd"];
    expect((await runCommand(["partners", "create", ...partner], environment)).code).toBe(0);
    const tail = startCommand(["events", "tail"], environment);
    await tail.says("Following");
    expect(postgresProcesses(data_dir.data)).not.toEqual([]);
    tail.kill("SIGINT");
    expect(await tail.ended).toMatchObject({ code: 0, signal: null, stdout: "" });
    await untilStopped(data_dir.data);
  });
});
