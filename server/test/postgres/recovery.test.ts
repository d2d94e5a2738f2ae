import { type ChildProcess, spawn } from "node:child_process";
import { appendFile, chmod, chown, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findLocation } from "../../src/platform/postgres/location.ts";
import { trimLog } from "../../src/platform/postgres/log-file.ts";
import { makeCluster } from "../harness/templates.ts";
import { cleanUp, eventually, killPostgres, postgresProcesses, query, startMember, untilStopped } from "./processes.ts";

const bystanders: ChildProcess[] = [];

afterEach(async () => {
  for (const bystander of bystanders.splice(0)) bystander.kill("SIGKILL");
  await cleanUp();
});

const NOTE_TABLE = "create table note (text text); insert into note values ('kept')";
const KEPT = [{ text: "kept" }];

async function postmasterPid(data: string): Promise<number> {
  return Number.parseInt(await readFile(join(data, "postmaster.pid"), "utf8"), 10);
}

/** A cluster with content whose server was stopped in an orderly way. */
async function stoppedCluster(): Promise<{ dataDir: string; data: string; socket: string }> {
  const dataDir = await makeCluster();
  const member = startMember({ dataDir });
  const { connection, location } = await member.joined();
  await query(connection, NOTE_TABLE);
  await member.leave();
  await untilStopped(location.data);
  return { dataDir, data: location.data, socket: location.socket };
}

describe("after a crash", () => {
  test("kill -9 of Node alone: the next join adopts the running server, with its data", async () => {
    const dataDir = await makeCluster();
    const first = startMember({ dataDir });
    const { connection, location } = await first.joined();
    await query(connection, NOTE_TABLE);
    const pid = await postmasterPid(location.data);
    await first.kill();

    const second = startMember({ dataDir });
    const adopted = await second.joined();
    expect(adopted.started).toBe("adopted");
    expect(await postmasterPid(location.data)).toBe(pid);
    expect(await query(adopted.connection, "select text from note")).toEqual(KEPT);
    await second.leave();
    await untilStopped(location.data);
  });

  test("kill -9 of Node and PostgreSQL: the next join recovers the data", async () => {
    const dataDir = await makeCluster();
    const first = startMember({ dataDir, settings: { fsync: "on" } });
    const { connection, location } = await first.joined();
    await query(connection, NOTE_TABLE);
    first.child.kill("SIGKILL");
    await killPostgres(location.data);
    await first.kill();
    await untilStopped(location.data);

    const second = startMember({ dataDir });
    const recovered = await second.joined();
    expect(recovered.started).toBe("started");
    expect(await query(recovered.connection, "select text from note")).toEqual(KEPT);
    await second.leave();
  });

  test.each(["the postmaster", "every process"])(
    "kill -9 of PostgreSQL (%s) under living members: it comes back by itself, with its data",
    async (whom) => {
      const dataDir = await makeCluster();
      const members = [startMember({ dataDir }), startMember({ dataDir })];
      const [first] = await Promise.all(members.map((member) => member.joined()));
      const { connection, location } = first ?? expect.unreachable();
      await query(connection, NOTE_TABLE);
      const pid = await postmasterPid(location.data);
      if (whom === "the postmaster") process.kill(pid, "SIGKILL");
      else await killPostgres(location.data);

      for (const member of members) {
        await eventually(
          "the member to be back",
          () => member.events.find((e) => e.kind === "log" && e.message.endsWith("is back")) ?? null,
        );
      }
      expect(await postmasterPid(location.data)).not.toBe(pid);
      expect(await query(connection, "select text from note")).toEqual(KEPT);
      await members[0]?.leave();
      expect(await query(connection, "select text from note")).toEqual(KEPT);
      await members[1]?.leave();
      await untilStopped(location.data);
    },
  );

  test("kill -9 of one session: the server restarts itself, and the member keeps its membership", async () => {
    const member = startMember({ dataDir: await makeCluster() });
    const { connection, location } = await member.joined();
    const pid = await postmasterPid(location.data);
    const session = query(connection, "select pg_sleep(60)").catch((error: unknown) => error);
    const [row] = await eventually("the session", async () => {
      const rows = await query(connection, "select pid from pg_stat_activity where query like 'select pg_sleep%'");
      return rows.length > 0 ? rows : null;
    });
    process.kill(Number(row?.pid), "SIGKILL");
    expect(await session).toBeInstanceOf(Error);
    await eventually(
      "the member to be back",
      () => member.events.find((e) => e.kind === "log" && e.message.endsWith("is back")) ?? null,
    );
    expect(await postmasterPid(location.data)).toBe(pid);
    await member.leave();
    await untilStopped(location.data);
  });

  test("a member told to leave while the server is down goes, and leaves no server behind", async () => {
    const member = startMember({ dataDir: await makeCluster() });
    const { location } = await member.joined();
    await killPostgres(location.data);
    await member.leave();
    await untilStopped(location.data);
  });

  test.runIf(process.platform === "linux")(
    "lock files whose number another process has taken since do not bar the start",
    async () => {
      const { dataDir, data, socket } = await stoppedCluster();
      const { uid, gid } = await stat(data);
      const bystander = spawn("sleep", ["600"], { stdio: "ignore", uid, gid });
      bystanders.push(bystander);
      const lines = [bystander.pid, data, 1_700_000_000, 5432, socket, "", "  1  1", "ready"];
      for (const lock of [join(data, "postmaster.pid"), join(socket, ".s.PGSQL.5432.lock")]) {
        await writeFile(lock, `${lines.join("\n")}\n`, { mode: 0o600 });
        await chown(lock, uid, gid);
      }
      const member = startMember({ dataDir });
      const { connection, started } = await member.joined();
      expect(started).toBe("started");
      expect(await query(connection, "select text from note")).toEqual(KEPT);
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
      await member.leave();
    },
  );

  test("a lock file that a full disk left empty does not bar the start", async () => {
    const { dataDir, data } = await stoppedCluster();
    const { uid, gid } = await stat(data);
    await writeFile(join(data, "postmaster.pid"), "", { mode: 0o600 });
    await chown(join(data, "postmaster.pid"), uid, gid);
    const old = new Date(Date.now() - 60_000);
    await utimes(join(data, "postmaster.pid"), old, old);
    const member = startMember({ dataDir });
    expect(await query((await member.joined()).connection, "select text from note")).toEqual(KEPT);
    await member.leave();
  });

  test("half-made clusters of crashed starts are removed, those of live ones are not", async () => {
    const dataDir = await makeCluster();
    const gone = spawn("true");
    await eventually("the process to be gone", () => gone.exitCode !== null || null);
    const abandoned = `postgres.init-${gone.pid}-0123abcd`;
    const underWay = `postgres.init-${process.pid}-0123abcd`;
    const old = new Date(Date.now() - 3_600_000);
    for (const name of [abandoned, underWay]) {
      await mkdir(join(dataDir, name));
      await writeFile(join(dataDir, name, "PG_VERSION"), "18\n");
      await utimes(join(dataDir, name), old, old);
    }
    const member = startMember({ dataDir });
    await member.joined();
    const left = (await readdir(dataDir)).filter((name) => name.startsWith("postgres.init-"));
    expect(left).toEqual([underWay]);
    await member.leave();
  });

  test("the server's log is bounded while it runs, and goes on", async () => {
    const dataDir = await makeCluster();
    const member = startMember({ dataDir });
    const { connection } = await member.joined();
    const log = join(dataDir, "postgres.log");
    await appendFile(log, `${"x".repeat(5 * 1024 * 1024)} the end`);
    await trimLog(await findLocation(dataDir));
    expect((await stat(log)).size).toBe(0);
    expect(await readFile(`${log}.1`, "utf8")).toMatch(/^x{900000,}.* the end$/);
    await expect(query(connection, "select secret_column from nowhere")).rejects.toThrow();
    const text = await eventually("a new line", async () => (await readFile(log, "utf8")) || null);
    expect(text).toContain("nowhere");
    expect(text).not.toContain("secret_column");
    await member.leave();
  });

  test("data opened to others by hand is refused with the way out", async () => {
    const { dataDir, data } = await stoppedCluster();
    await chmod(data, 0o755);
    const { remedy } = await startMember({ dataDir }).refused();
    expect(remedy).toBe(`chmod 700 ${data}`);
    expect(postgresProcesses(data)).toEqual([]);
  });
});
