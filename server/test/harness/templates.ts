import { execFile } from "node:child_process";
import { access, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { makeFolder, startMember, untilStopped } from "../postgres/processes.ts";
import { administer, createTestDatabase, type TestDatabase } from "./database.ts";
import { startService } from "./service-process.ts";

const LOCK_KEY = 7_214_900;
const DEMO_DATABASE = "tributary_demo";
/** Of every copy of the demo programme, so that each can open what another has sealed. */
export const DEMO_SECRET_KEY = "the secret key of the demo programme of the tests";

/** Makes a folder once per run, in the test file that needs it first; the others wait. It is there when it is complete. */
async function onceInRun(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(inject("templates"), name);
  await administer(async (session) => {
    await session.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    const made = await access(folder).then(
      () => true,
      () => false,
    );
    if (made) return;
    const draft = `${folder}.draft`;
    // What an attempt that failed has left.
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft);
    await make(draft);
    await rename(draft, folder);
  });
  return folder;
}

/** A folder with everything in it, its owners and modes included, which Node's own copy does not keep. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)("cp", ["-a", `${from}/.`, to]);
}

/** A database with the demo programme of a first start, and its first-run.json in this folder. */
export async function createDemoDatabase(data_dir: string): Promise<TestDatabase> {
  const made = await onceInRun("demo-database", async (draft) => {
    await administer((session) => session.query(`drop database if exists ${DEMO_DATABASE} with (force)`));
    const db = await createTestDatabase({ name: DEMO_DATABASE });
    const service = await startService({
      DATABASE_URL: db.url("service"),
      DATABASE_OWNER_URL: db.url("owner"),
      SECRET_KEY: DEMO_SECRET_KEY,
      DATA_DIR: draft,
      SEED: "demo",
    });
    await service.stop();
    await db.disconnect();
  });
  await copyFile(join(made, "first-run.json"), join(data_dir, "first-run.json"));
  return createTestDatabase({ template: DEMO_DATABASE });
}

/** Fills a DATA_DIR with an embedded database that holds the demo programme of a first start, and is stopped. */
export async function copyDemoDataDir(to: string): Promise<void> {
  const made = await onceInRun("demo-data-dir", async (draft) => {
    const service = await startService({ DATA_DIR: draft });
    await service.stop();
    await untilStopped(join(draft, "postgres"));
  });
  await copyFolder(made, to);
}

/** A DATA_DIR with an embedded database as it is after its first start, with the two logins and no tables, and stopped. */
export async function makeCluster(): Promise<string> {
  const made = await onceInRun("empty-cluster", async (draft) => {
    const member = startMember({ dataDir: draft });
    await member.joined();
    await member.leave();
    await untilStopped(join(draft, "postgres"));
  });
  const folder = await makeFolder();
  await copyFolder(made, folder);
  return folder;
}
