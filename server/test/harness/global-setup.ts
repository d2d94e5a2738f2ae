import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate, readMigrations } from "../../src/platform/db/migrate.ts";
import { makeSandboxWorld } from "../../src/platform/db/sandbox-world.ts";
import { joinEmbedded } from "../../src/platform/postgres/index.ts";
import { MIGRATIONS } from "../../src/service.ts";
import { type Login, prepareClusterDatabase, startCitus } from "./citus.ts";
import { makeRunFolder } from "./run-folder.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: { owner: Login; service: Login; sandbox: Login };
    /** The ports of the workers; none where the database is not a cluster. */
    workers: number[];
    /** The folder of what test files make once and copy. */
    templates: string;
  }
}

/**
 * One embedded PostgreSQL for the whole run, with a migrated database that every test file clones. It does not wait for
 * the disk: these tests show what the service does, those under chaos/ start their own that does.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await makeRunFolder();
  // Open to the user that runs PostgreSQL for root: otherwise the data would go elsewhere and stay there.
  await chmod(dataDir, 0o755);
  const templates = join(dataDir, "templates");
  await mkdir(templates);
  project.provide("templates", templates);
  const { CITUS_BIN } = process.env;
  const stop = CITUS_BIN === undefined ? await startEmbedded(project, dataDir) : await startCluster(project, CITUS_BIN, dataDir);
  return async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** `npm run test:cluster`: a coordinator and two workers instead, with the tables distributed. */
async function startCluster(project: TestProject, bin: string, dataDir: string): Promise<() => Promise<void>> {
  const cluster = await startCitus(bin, dataDir);
  project.provide("postgres", await prepareClusterDatabase(cluster, "tributary"));
  project.provide(
    "workers",
    cluster.workers.map(({ port }) => port),
  );
  return cluster.stop;
}

async function startEmbedded(project: TestProject, dataDir: string): Promise<() => Promise<void>> {
  const settings = {
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    max_connections: "300",
    max_wal_size: "256MB",
  };
  const embedded = await joinEmbedded({ dataDir, settings });
  await migrate(embedded.connection("owner"), await readMigrations(MIGRATIONS), embedded.connection("service").user);
  const [owner, service, sandbox] = (["owner", "service", "sandbox"] as const).map((login) => embedded.connection(login)) as [
    Login,
    Login,
    Login,
  ];
  await makeSandboxWorld(owner, service.user, sandbox.user);
  project.provide("postgres", { owner, service, sandbox });
  project.provide("workers", []);
  return () => embedded.leave();
}
