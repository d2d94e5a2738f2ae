import { readlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type DataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { TABLE_LOCKS, untilWaiting, useHolds } from "../harness/holds.ts";
import { type Ending, killServices, type ServiceProcess, startService } from "../harness/service-process.ts";
import { BASE, type Json } from "../harness/world.ts";
import { cleanUp, eventually, postgresProcesses } from "../postgres/processes.ts";

const UNFINISHED = { code: 1, signal: null };

let data_dir: DataDir;
let hung: number[] = [];

const hold = useHolds(() => data_dir.connect());

beforeAll(async () => {
  data_dir = await makeDemoDataDir();
});

afterEach(async () => {
  for (const pid of hung.splice(0)) process.kill(pid, "SIGCONT");
  await killServices();
});

afterAll(cleanUp);

function hangDatabase(): void {
  hung = postgresProcesses(data_dir.data);
  expect(hung.length).toBeGreaterThan(3);
  for (const pid of hung) process.kill(pid, "SIGSTOP");
}

const start = (environment: Record<string, string> = {}) => startService({ DATA_DIR: data_dir.path, ...environment });

function lastLine(service: ServiceProcess): Json {
  return JSON.parse(service.stdout().trimEnd().split("\n").at(-1) ?? "");
}

async function expectUnfinished(service: ServiceProcess, ended: Promise<Ending>, ...steps: string[]): Promise<void> {
  expect(await ended).toEqual(UNFINISHED);
  const { msg, unfinished } = lastLine(service);
  expect(msg).toMatch(/^shutdown did not finish/);
  expect(unfinished).toEqual(expect.arrayContaining(steps));
}

describe("a shutdown that cannot finish", () => {
  test.each(["all", "worker"])(
    "ends when its time is over, and says what it left, in the role %s: the database hangs",
    async (ROLE) => {
      const service = await start({ ROLE, SHUTDOWN_SECONDS: "1" });
      hangDatabase();
      await expectUnfinished(service, service.stop(), "database server");
    },
  );

  test("ends at a second signal", async () => {
    const service = await start({ SHUTDOWN_SECONDS: "3600" });
    hangDatabase();
    const ended = service.stop();
    let over = false;
    const interrupting = eventually("the service to end", () => {
      if (!over) void service.stop();
      return over || null;
    });
    ended.then(() => {
      over = true;
    });
    await expectUnfinished(service, ended, "database server");
    await interrupting;
  });
});

test("signals that arrive together are one, as of Ctrl-C under npm", async () => {
  const service = await start();
  const ended = service.stop();
  for (const signal of ["SIGINT", "SIGINT", "SIGTERM"] as const) process.kill(service.pid, signal);
  expect(await ended).toEqual({ code: 0, signal: null });
});

describe("a shutdown does not depend on who reads the log:", () => {
  test("the reader is gone", async () => {
    const service = await start({ LOG_LEVEL: "info" });
    service.output.close();
    expect((await service.call("GET", "/healthz")).status).toBe(200);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  });

  test("the reader reads no more", async () => {
    const service = await start({ LOG_LEVEL: "info" });
    service.output.pause();
    // More than a pipe and the reader's own buffer take.
    for (let turn = 0; turn < 10; turn += 1)
      await Promise.all(Array.from({ length: 100 }, () => service.call("GET", "/healthz")));
    const ended = service.stop();
    await eventually("the service to be gone", () => isGone(service.pid));
    service.output.close();
    expect((await ended).signal).toBe(null);
  });
});

/** The last one, because the others need the folder. */
test("a shutdown ends although its data folder is gone", async () => {
  const service = await start({ SHUTDOWN_SECONDS: "5" });
  const key = (await data_dir.firstRun()).api_key;
  const held = await hold("lock table clients in exclusive mode");
  const underWay = service.call("POST", `${BASE}/clients`, { key, body: { company: "Under way" } }).catch(() => null);
  await untilWaiting(data_dir.sql, TABLE_LOCKS, 1);
  const ended = service.stop();
  await rm(data_dir.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  await held.release().catch(() => undefined);
  await underWay;
  const { code, signal } = await ended;
  expect([signal, code === 0 || lastLine(service).unfinished.length > 0]).toEqual([null, true]);
});

/** Gone, or a zombie until its output is closed. */
function isGone(pid: number): true | null {
  try {
    readlinkSync(`/proc/${pid}/cwd`);
    return null;
  } catch {
    return true;
  }
}
