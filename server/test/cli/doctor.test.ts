import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judgeClock } from "../../src/cli/doctor/database.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { judgeDisk } from "../../src/cli/doctor/folder.ts";
import { checkNode, checkPackages } from "../../src/cli/doctor/machine.ts";
import { clusterEnvironment } from "../harness/cluster.ts";
import { killCommands, runCommand, runForJson } from "../harness/command.ts";
import { type DataDir, makeDataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type Environment, killServices, startService } from "../harness/service-process.ts";
import { cleanUp, makeFolder, ROOT, untilStopped } from "../postgres/processes.ts";

afterAll(async () => {
  await killCommands();
  await killServices();
  await cleanUp();
});

/** The findings by name. A sound installation has no failure, so its exit code must be 0, and otherwise 1. */
async function examine(environment: Environment): Promise<Record<string, Finding>> {
  const { code, stdout, stderr } = await runCommand(["doctor", "--json"], { PORT: "0", ...environment });
  const { healthy, checks, ok, warn, fail } = JSON.parse(stdout || stderr);
  expect(code).toBe(healthy ? 0 : 1);
  expect(healthy).toBe(fail === 0);
  expect(ok + warn + fail).toBe(checks.length);
  for (const finding of checks) {
    expect(finding.message).toMatch(/\S/);
    if (finding.status !== "ok") expect(finding.remedy, finding.check).toMatch(/\S/);
  }
  return Object.fromEntries(checks.map((finding: Finding) => [finding.check, finding]));
}

const failures = (found: Record<string, Finding>) =>
  Object.values(found)
    .filter(({ status }) => status === "fail")
    .map(({ check }) => check);

describe("the embedded database", () => {
  let data_dir: DataDir;
  let environment: Environment;

  beforeAll(async () => {
    data_dir = await makeDemoDataDir();
    environment = { DATA_DIR: data_dir.path };
  });

  test("is sound as it was made, and stopped again", async () => {
    const found = await examine(environment);
    expect(failures(found)).toEqual([]);
    expect(found["database location"]?.message).toContain(data_dir.data);
    for (const check of [
      "database",
      "database version",
      "database encoding",
      "database logins",
      "migrations",
      "append-only tables",
    ]) {
      expect(found[check]?.status, check).toBe("ok");
    }
    await untilStopped(data_dir.data);
  });

  test("for people, each check is a line and the remedy stands below", async () => {
    const file = join(data_dir.path, "first-run.json");
    await chmod(file, 0o644);
    const { code, stdout } = await runCommand(["doctor"], { ...environment, PORT: "0" });
    await chmod(file, 0o600);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `fail  first-run file      ${file} is accessible to other users (mode 0644).\n${" ".repeat(26)}chmod 600 ${file}\n`,
    );
    expect(stdout).toMatch(/\n\d+ ok, \d+ warnings?, 1 failed\.\n$/);
  });

  test("a secret key that others can read is named, and one that is missing", async () => {
    const file = join(data_dir.path, "secret.key");
    await chmod(file, 0o640);
    const open = await examine(environment);
    expect(failures(open)).toEqual(["secret key"]);
    expect(open["secret key"]?.remedy).toBe(`chmod 600 ${file}`);
    await chmod(file, 0o600);
    await rename(file, `${file}.away`);
    const missing = await examine(environment);
    expect(missing["secret key"]).toMatchObject({ status: "fail", message: expect.stringContaining("is missing") });
    await writeFile(file, "short", { mode: 0o600 });
    expect((await examine(environment))["secret key"]?.message).toContain("damaged");
    await rename(`${file}.away`, file);
  });

  test("another secret key than the one that things were sealed with is named", async () => {
    const key = [
      "keys",
      "create",
      "--partner",
      "northwind",
      "--name",
      "Sealed",
      "--scopes",
      "clients:read",
      "--idempotency-key",
      "seal-1",
    ];
    await runForJson(key, environment);
    expect((await examine(environment))["encrypted secrets"]?.status).toBe("ok");
    const file = join(data_dir.path, "secret.key");
    const right = await readFile(file, "utf8");
    await writeFile(file, "another key that is long enough for it");
    const found = await examine(environment);
    await writeFile(file, right);
    expect(failures(found)).toEqual(["encrypted secrets"]);
  });

  test("a data folder that others can write to is named", async () => {
    await chmod(data_dir.path, 0o777);
    const found = await examine(environment);
    await chmod(data_dir.path, 0o755);
    expect(failures(found)).toEqual(["data folder"]);
    expect(found["data folder"]?.message).toContain("mode 0777");
  });

  test("a cluster that cannot be run is named with the way out", async () => {
    await chmod(data_dir.data, 0o755);
    const found = await examine(environment);
    await chmod(data_dir.data, 0o700);
    expect(found.database).toMatchObject({ status: "fail", remedy: `chmod 700 ${data_dir.data}` });
  });

  test("one that is not made yet is no failure, and is not made", async () => {
    const folder = await makeFolder();
    const found = await examine({ DATA_DIR: join(folder, "later") });
    expect(failures(found)).toEqual([]);
    expect([found["data folder"]?.status, found["database location"]?.status]).toEqual(["warn", "warn"]);
    expect(found.database).toBeUndefined();
    await expect(readFile(join(folder, "later"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.runIf(ROOT)("one that lives elsewhere is named with its place", async () => {
    const closed = join(await makeFolder(), "closed");
    await mkdir(closed, { mode: 0o700 });
    await runForJson(["migrate"], { DATA_DIR: closed });
    const [place = ""] = (await readFile(join(closed, "postgres.location"), "utf8")).split("\n");
    try {
      expect((await examine({ DATA_DIR: closed }))["database location"]?.message).toContain(`is in ${place}/postgres`);
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
});

describe("a database server", () => {
  let db: TestDatabase;
  let environment: Environment;

  beforeAll(async () => {
    db = await createTestDatabase();
    environment = clusterEnvironment(db, await makeDataDir());
  });
  afterAll(() => db.drop());

  test("with two logins is sound", async () => {
    const found = await examine(environment);
    expect(failures(found)).toEqual([]);
    expect(found["append-only tables"]).toMatchObject({ status: "ok", message: expect.stringContaining("23 tables") });
  });

  test("that is stopped is named", async () => {
    const found = await examine({ ...environment, DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" });
    expect(failures(found)).toEqual(["database"]);
    expect(found.database?.message).toContain("ECONNREFUSED");
  });

  test("whose owner's login does not get in is named", async () => {
    const found = await examine({ ...environment, DATABASE_OWNER_URL: "postgres://nobody@127.0.0.1:1/nothing" });
    expect(failures(found)).toEqual(["database logins"]);
  });

  test("with one login: what is lost is said, and it is no failure", async () => {
    const found = await examine({ ...environment, DATABASE_URL: db.url("owner") });
    expect(failures(found)).toEqual([]);
    expect(found["database logins"]).toMatchObject({
      status: "warn",
      message: expect.stringContaining("events and audit entries"),
    });
    expect(found["append-only tables"]?.status).toBe("warn");
  });

  test.each(["events", "audit_entries"])("whose service may delete %s is named", async (table) => {
    await db.sql(`grant delete on ${table} to tributary_service`);
    const found = await examine(environment);
    await db.sql(`revoke delete on ${table} from tributary_service`);
    expect(failures(found)).toEqual(["append-only tables"]);
    expect(found["append-only tables"]?.message).toContain(`tributary_service can update or delete rows of ${table}.`);
  });

  test("whose service may update one column, or one part of a table, is named", async () => {
    await db.sql("grant update (body) on events to tributary_service");
    expect(failures(await examine(environment))).toEqual(["append-only tables"]);
    await db.sql("revoke update (body) on events from tributary_service");
    const [part] = await db.sql<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1 limit 1",
    );
    await db.sql(`grant truncate on ${part?.name} to tributary_service`);
    const found = await examine(environment);
    expect(found["append-only tables"]).toMatchObject({ status: "fail", message: expect.stringContaining(part?.name ?? "?") });
    await db.sql(`revoke truncate on ${part?.name} from tributary_service`);
    expect(failures(await examine(environment))).toEqual([]);
  });

  test("whose migrations are behind, or were changed, is named", async () => {
    await db.sql("update migrations set checksum = reverse(checksum) where number = 2");
    expect((await examine(environment)).migrations).toMatchObject({ status: "fail", message: expect.stringContaining("0002_") });
    await db.sql("update migrations set checksum = reverse(checksum) where number = 2");
    const [newest] = await db.sql<{ number: number }>(
      "delete from migrations where number = (select max(number) from migrations) returning *",
    );
    const found = await examine(environment);
    expect(found.migrations).toMatchObject({ status: "fail", remedy: "tributary migrate" });
    expect(newest?.number).toBeGreaterThan(1);
  });

  test("that is not in UTF-8 is named", async () => {
    const ascii = `${db.name}_ascii`;
    const admin = await db.connect();
    await admin.query(`create database ${ascii} encoding 'SQL_ASCII' locale 'C' template template0`);
    try {
      const url = (login: "owner" | "service") => db.url(login).replace(db.name, ascii);
      const found = await examine({ ...environment, DATABASE_URL: url("service"), DATABASE_OWNER_URL: url("owner") });
      expect(found["database encoding"]).toMatchObject({ status: "fail", message: expect.stringContaining("SQL_ASCII") });
    } finally {
      await admin.query(`drop database ${ascii}`);
      await admin.end();
    }
  });
});

describe("the port", () => {
  const DATABASE_AWAY = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", SECRET_KEY: "0123456789abcdef0123456789abcdef" };

  async function checkPortWith(server: {
    listen(port: number, host: string, done: () => void): unknown;
    address(): unknown;
    close(): unknown;
  }) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      return (await examine({ ...DATABASE_AWAY, DATA_DIR: await makeFolder(), PORT: String(port) })).port;
    } finally {
      server.close();
    }
  }

  test("that another web server has is named", async () => {
    const other = createServer((_request, reply) => reply.end("hello"));
    expect(await checkPortWith(other)).toMatchObject({ status: "fail", message: expect.stringContaining("another program") });
  });

  test("that a program has which never answers is named", async () => {
    expect(await checkPortWith(createTcpServer())).toMatchObject({
      status: "fail",
      message: expect.stringContaining("another program"),
    });
  });

  test("that our own service has is in order, and status says so too", async () => {
    const data_dir = await makeDemoDataDir();
    const service = await startService({ DATA_DIR: data_dir.path });
    const environment = { DATA_DIR: data_dir.path, PORT: new URL(service.base_url).port };
    expect((await examine(environment)).port).toMatchObject({
      status: "ok",
      message: expect.stringContaining("The service answers"),
    });
    const told = await runForJson(["status"], environment);
    expect(told).toMatchObject({
      service: { address: service.base_url, kind: "ready" },
      database: { reachable: true, content: { counts: { partners: { count: 2, exact: true } }, feed: { waiting_events: 0 } } },
    });
    await service.stop();
  });

  test("on an address that is not this machine's is named", async () => {
    const found = await examine({ ...DATABASE_AWAY, DATA_DIR: await makeFolder(), HOST: "203.0.113.7", PORT: "8080" });
    expect(found.port).toMatchObject({ status: "fail", message: expect.stringContaining("203.0.113.7") });
  });
});

test("a wrong environment is the finding, with every fault", async () => {
  const { code, stdout } = await runCommand(["doctor", "--json"], { PORT: "x", ROLE: "king" });
  expect(code).toBe(1);
  const { checks } = JSON.parse(stdout);
  expect(checks.filter(({ check }: Finding) => check === "configuration")).toHaveLength(2);
});

test("status of a database that is away fails and says so", async () => {
  const environment = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", SECRET_KEY: "0123456789abcdef0123456789abcdef" };
  const { code, stdout } = await runCommand(["status"], { ...environment, PORT: "1" });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^service +http:\/\/127\.0\.0\.1:1 +does not answer \(.*\)\. Asked with HOST=127\.0\.0\.1 PORT=1; .*set the same here/m,
  );
  expect(stdout).toMatch(/^database +127\.0\.0\.1:1 +not reachable: .*ECONNREFUSED/m);
});

describe("what cannot be broken here for real is judged by the same rules", () => {
  test("clocks", () => {
    expect([0, 1_999, -1_999, 2_000, -59_999, 60_000, -90_000].map((offset_ms) => judgeClock(offset_ms).status)).toEqual([
      ...["ok", "ok", "ok", "warn", "warn", "fail", "fail"],
    ]);
    expect(judgeClock(-5_000).message).toContain("5.0 s behind");
  });

  test("disks", () => {
    expect([5e9, 9e8, 1e8].map((free_bytes) => judgeDisk("/x", free_bytes).status)).toEqual(["ok", "warn", "fail"]);
  });

  test("Node", () => {
    expect(["24.11.0", "22.18.0", "22.17.1", "20.19.0"].map((version) => checkNode(version).status)).toEqual([
      "ok",
      "ok",
      "fail",
      "fail",
    ]);
  });

  test("packages of another lock file", async () => {
    const folder = await makeFolder();
    const root = pathToFileURL(`${folder}/`);
    expect((await checkPackages(root)).status).toBe("ok");
    await writeFile(join(folder, "package-lock.json"), "{}");
    expect((await checkPackages(root)).status).toBe("warn");
    await mkdir(join(folder, "node_modules"));
    await writeFile(join(folder, "node_modules/.installed-lock"), "another");
    expect((await checkPackages(root)).status).toBe("fail");
  });
});
