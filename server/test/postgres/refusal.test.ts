import { execFileSync, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { makeCluster } from "../harness/templates.ts";
import { copyPackage, packageFolder } from "./packages.ts";
import {
  cleanUp,
  makeFolder,
  NOBODY,
  ORDINARY,
  ORDINARY_CAN_RUN,
  postgresProcesses,
  ROOT,
  startMember,
  untilStopped,
} from "./processes.ts";

const mounts: string[] = [];

afterEach(async () => {
  for (const mount of mounts.splice(0)) spawnSync("umount", ["--lazy", mount]);
  await cleanUp();
});

/** A data folder that PostgreSQL's user owns, whoever runs the tests. */
async function makeDataFolder(dataDir: string): Promise<string> {
  const data = join(dataDir, "postgres");
  await mkdir(data, { mode: 0o700 });
  if (ROOT) await chown(data, NOBODY.uid, NOBODY.gid);
  return data;
}

describe("what cannot work is refused with a clear message and the way out", () => {
  test.runIf(ORDINARY_CAN_RUN)("a folder that is not writable", async () => {
    const parent = await makeFolder(ORDINARY);
    await chmod(parent, 0o555);
    for (const dataDir of [parent, join(parent, "data")]) {
      const { message, remedy } = await startMember({ dataDir }, { as: ORDINARY }).refused();
      expect(message).toMatch(
        new RegExp(`^The data folder ${dataDir} is not a folder that this user \\(uid \\d+\\) can write to`),
      );
      expect(remedy).toContain("set DATA_DIR to a folder that is");
    }
  });

  test("data of another major version", async () => {
    const dataDir = await makeFolder();
    const data = await makeDataFolder(dataDir);
    await writeFile(join(data, "PG_VERSION"), "16\n");
    const { message, remedy } = await startMember({ dataDir }).refused();
    expect(message).toBe(`The database in ${data} has the format of PostgreSQL 16; the embedded version is PostgreSQL 18.`);
    expect(remedy).toContain("set DATABASE_URL");
    expect(remedy).toContain("move the folder away");
    expect(await readFile(join(data, "PG_VERSION"), "utf8")).toBe("16\n");
  });

  test("a folder of other files where the database should be", async () => {
    const dataDir = await makeFolder();
    await writeFile(join(await makeDataFolder(dataDir), "holiday.jpg"), "");
    expect((await startMember({ dataDir }).refused()).message).toContain("holds no readable database");
  });

  test.runIf(ORDINARY_CAN_RUN)("a cluster whose encoding is not UTF8, and its server is not left running", async () => {
    const dataDir = await makeFolder();
    const data = await makeDataFolder(dataDir);
    const initdb = join(packageFolder(), "native/bin/initdb");
    const identity = ROOT ? NOBODY : {};
    execFileSync(initdb, ["-D", data, "-U", "postgres", "-E", "SQL_ASCII", "--no-locale", "-A", "trust", "-N"], {
      cwd: "/",
      ...identity,
    });
    const { message, remedy } = await startMember({ dataDir }).refused();
    expect(message).toContain("text encoding is SQL_ASCII; it must be UTF8");
    expect(remedy).toContain("Move the data folder away");
    await untilStopped(data);
  });

  test("a start-up that fails for any other reason shows the end of the server's log", async () => {
    const dataDir = await makeCluster();
    const { message, remedy } = await startMember({ dataDir, settings: { shared_buffers: "lots" } }).refused();
    expect(message).toContain('FATAL:  invalid value for parameter "shared_buffers": "lots"');
    expect(remedy).toContain("DATABASE_URL");
    expect(postgresProcesses(join(dataDir, "postgres"))).toEqual([]);
  });

  test("damaged data: the message holds what PostgreSQL says of it", async () => {
    const dataDir = await makeCluster();
    const member = startMember({ dataDir });
    const { location } = await member.joined();
    await member.leave();
    await untilStopped(location.data);
    const segments = (await readdir(join(location.data, "pg_wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const segment of segments) await truncate(join(location.data, "pg_wal", segment), 0);
    const { message } = await startMember({ dataDir }).refused();
    expect(message).toContain("could not locate a valid checkpoint record");
  });

  test("binaries that this system cannot run", async () => {
    const folder = await makeFolder();
    const broken = await copyPackage(join(folder, "package"));
    await rm(join(broken, "native/bin/initdb"));
    await symlink("/nowhere/initdb", join(broken, "native/bin/initdb"));
    const { message, remedy } = await startMember({ dataDir: join(folder, "data"), binaries: broken }).refused();
    expect(message).toContain("initdb cannot run here");
    expect(remedy).toContain("DATABASE_URL");
  });

  test.runIf(ROOT)("a disk that is full, when the database is made and when it is started", async ({ skip }) => {
    const dataDir = await makeFolder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=20m,mode=755", "tmpfs", dataDir]).status === 0;
    if (!mounted) return skip("no right to mount here");
    mounts.push(dataDir);
    const expected = `The disk that holds ${dataDir} is full, so the database cannot run.`;
    expect((await startMember({ dataDir }).refused()).message).toBe(expected);

    spawnSync("mount", ["-o", "remount,size=300m", dataDir]);
    const member = startMember({ dataDir });
    await member.joined();
    await member.leave();
    spawnSync("dd", ["if=/dev/zero", `of=${join(dataDir, "filler")}`, "bs=64k"]);
    expect((await startMember({ dataDir }).refused()).message).toBe(expected);

    await rm(join(dataDir, "filler"));
    const again = startMember({ dataDir });
    expect((await again.joined()).started).toBe("started");
    await again.leave();
  });
});
