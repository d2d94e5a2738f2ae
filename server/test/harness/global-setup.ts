import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { migrate, readMigrations } from "../../src/platform/db/migrate.ts";
import { makeSandboxWorld } from "../../src/platform/db/sandbox-world.ts";
import { joinEmbedded } from "../../src/platform/postgres/index.ts";
import { MIGRATIONS } from "../../src/service.ts";

type Login = { host: string; port: number; user: string; database: string };

declare module "vitest" {
  export interface ProvidedContext {
    postgres: { owner: Login; service: Login; sandbox: Login };
    /** The folder of what test files make once and copy. */
    templates: string;
  }
}

/**
 * One embedded PostgreSQL for the whole run, with a migrated database that every test file clones. It does not wait for
 * the disk: these tests show what the service does, those under chaos/ start their own that does.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "tributary-test-"));
  // Open to the user that runs PostgreSQL for root: otherwise the data would go elsewhere and stay there.
  await chmod(dataDir, 0o755);
  const templates = join(dataDir, "templates");
  await mkdir(templates);
  const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };
  const embedded = await joinEmbedded({ dataDir, settings });
  await migrate(embedded.connection("owner"), await readMigrations(MIGRATIONS), embedded.connection("service").user);
  const [owner, service, sandbox] = (["owner", "service", "sandbox"] as const).map((login) => embedded.connection(login)) as [
    Login,
    Login,
    Login,
  ];
  await makeSandboxWorld(owner, service.user, sandbox.user);
  project.provide("postgres", { owner, service, sandbox });
  project.provide("templates", templates);
  return async () => {
    await embedded.leave();
    await rm(dataDir, { recursive: true, force: true });
  };
}
