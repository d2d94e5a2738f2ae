import { afterAll, beforeAll } from "vitest";
import { cleanUp } from "../postgres/processes.ts";
import { clusterEnvironment } from "./cluster.ts";
import { killCommands, runHereForJson } from "./command.ts";
import { makeDataDir } from "./data-dir.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import type { Environment } from "./service-process.ts";
import type { Json } from "./world.ts";

/** An installation on a database server, with a programme and no service: what a command works on. */
export type Installation = { db: TestDatabase; environment: Environment; data_dir: string; company: string; partner_id: string };

/** One for the tests of a file, with one partner in it. */
export function useInstallation(): Installation {
  const installation = {} as Installation;
  beforeAll(async () => {
    const db = await createTestDatabase();
    const data_dir = await makeDataDir();
    // A port that nobody listens on, so that a service of another test is not taken for this one's.
    const environment = { ...clusterEnvironment(db, data_dir), PORT: "1" };
    Object.assign(installation, { db, environment, data_dir: data_dir.path, company: "Northwind Agency" });
    await db.sql("insert into programme (first_run_at) values (now())");
    const { id } = await newPartner(installation, installation.company, "nora@northwind.example");
    installation.partner_id = id;
  });
  afterAll(async () => {
    await killCommands();
    await installation.db?.drop();
    await cleanUp();
  });
  return installation;
}

export async function newPartner(
  { environment }: Pick<Installation, "environment">,
  company: string,
  email: string,
): Promise<Json> {
  const args = ["partners", "create", "--company", company, "--owner-email", email, "--owner-name", "Nora Lindqvist"];
  return runHereForJson(args, environment);
}

/** The audit entries of a partner's log, oldest first. */
export async function auditEntries(db: TestDatabase, partner_id: string): Promise<Json[]> {
  const rows = await db.sql<{ body: string }>(
    "select convert_from(body, 'UTF8') as body from audit_entries where partner_id = $1 order by id",
    [partner_id],
  );
  return rows.map(({ body }) => JSON.parse(body));
}
