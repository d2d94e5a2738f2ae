import { chmod, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { makeDataDir, makeDemoDataDir } from "../harness/data-dir.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { type Environment, type Identity, killServices, launchService } from "../harness/service-process.ts";
import { cleanUp, NOBODY, ORDINARY_CAN_RUN, postgresProcesses, ROOT } from "../postgres/processes.ts";

const databases: TestDatabase[] = [];

afterEach(async () => {
  await killServices();
  for (const database of databases.splice(0)) await database.drop();
  await cleanUp();
});

/** What a start that cannot succeed says: on standard error, in words, and nothing on standard output. */
async function refusalOf(environment: Environment, as: Identity = {}): Promise<string> {
  const service = launchService(environment, as);
  expect(await service.ended).toEqual({ code: 1, signal: null });
  expect(service.stdout()).toBe("");
  const text = service.stderr();
  expect(text).toMatch(/^Tributary cannot start\. /);
  expect(text).not.toMatch(/^ +at /m);
  return text;
}

async function serverEnvironment(): Promise<Environment> {
  const database = await createTestDatabase();
  databases.push(database);
  return {
    DATABASE_URL: database.url("service"),
    DATABASE_OWNER_URL: database.url("owner"),
    SECRET_KEY: "0123456789abcdef0123456789abcdef",
  };
}

describe("a start that cannot succeed ends with 1 and says why, without a stack", () => {
  test("wrong values: every fault at once", async () => {
    const wrong = {
      HOST: "not a host",
      PORT: "eighty",
      DATABASE_URL: "mysql://localhost/tributary",
      BASE_URL: "tributary.example",
      BRAND: "Two words",
      SEED: "lots",
      ROLE: "king",
      LOG_LEVEL: "loud",
      EGRESS: "open",
      DOCS_ACCESS: "nobody",
      SECRET_KEY: "short",
    };
    const text = await refusalOf(wrong);
    const named = text.split("\n").flatMap((line) => /^ {2}- ([A-Z_]+) /.exec(line)?.[1] ?? []);
    expect(named.sort()).toEqual(Object.keys(wrong).sort());
    expect(text).not.toContain("short");
  });

  test("the port is taken: it names the port, and leaves no database behind", async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => occupant.listen(0, "127.0.0.1", resolve));
    const { port } = occupant.address() as AddressInfo;
    const data_dir = await makeDemoDataDir();
    const text = await refusalOf({ DATA_DIR: data_dir.path, PORT: String(port) });
    occupant.close();
    expect(text).toContain(`Port ${port} on 127.0.0.1 is already in use. Set PORT to a free one`);
    expect(postgresProcesses(data_dir.data)).toEqual([]);
  });

  test("DATA_DIR cannot be a folder", async () => {
    const { path } = await makeDataDir();
    const file = join(path, "file");
    await writeFile(file, "");
    const text = await refusalOf({ DATA_DIR: join(file, "data") });
    expect(text).toContain(`DATA_DIR ${join(file, "data")} cannot be created (ENOTDIR).`);
  });

  test.runIf(!ROOT || ORDINARY_CAN_RUN)("DATA_DIR is not writable", async () => {
    const { path } = await makeDataDir();
    if (!ROOT) await chmod(path, 0o555);
    const text = await refusalOf({ DATA_DIR: path }, ROOT ? NOBODY : {});
    expect(text).toContain(`${path} is not a folder that this user`);
    expect(text).toContain("set DATA_DIR to a folder that is");
  });

  test.runIf(process.platform === "linux")("DATA_DIR is not writable when the first run's secrets go there", async () => {
    const text = await refusalOf({ ...(await serverEnvironment()), DATA_DIR: "/proc", SEED: "none" });
    expect(text).toContain("DATA_DIR /proc is not writable");
    expect(await databases[0]?.sql("select 1 from programme")).toEqual([]);
  });

  test("the database server does not answer", async () => {
    const { path } = await makeDataDir();
    const DATABASE_URL = `postgres://someone@localhost/nowhere?host=${encodeURIComponent(path)}`;
    const text = await refusalOf({ DATA_DIR: path, DATABASE_URL, SECRET_KEY: "0123456789abcdef0123456789abcdef" });
    expect(text).toContain("Check DATABASE_URL");
  });
});
