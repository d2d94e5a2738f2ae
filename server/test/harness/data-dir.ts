import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { postmasterOrNull } from "../../src/platform/postgres/lock-file.ts";
import { DATABASE, LOGINS } from "../../src/platform/postgres/logins.ts";
import { makeFolder } from "../postgres/processes.ts";
import type { TestDatabase } from "./database.ts";
import { copyDemoDataDir } from "./templates.ts";

export type FirstRun = { base_url: string; partner_id: string; api_key: string; operator_key: string };

/** A DATA_DIR under the system's temporary folder, and the embedded database in it as seen from outside the service. */
export type DataDir = {
  path: string;
  /** The cluster's own folder, which every PostgreSQL process of it works in. */
  data: string;
  firstRun(): Promise<FirstRun>;
  postmasterPid(): Promise<number>;
  /** A session of the owner, for the caller to end. */
  connect(): Promise<pg.Client>;
  /** Over a session for each statement, because the server comes and goes. */
  sql: TestDatabase["sql"];
};

/** One with the demo programme of a first start in it, and nothing running. */
export async function makeDemoDataDir(): Promise<DataDir> {
  const data_dir = await makeDataDir();
  await copyDemoDataDir(data_dir.path);
  return data_dir;
}

/** `cleanUp` of test/postgres/processes.ts removes it, with whatever still runs in it. */
export async function makeDataDir(): Promise<DataDir> {
  const path = await makeFolder();
  const data = join(path, "postgres");
  const postmaster = async () => {
    const found = await postmasterOrNull(data);
    if (found === null) throw new Error(`no database server runs in ${data}`);
    return found;
  };
  const connect = async () => {
    const host = (await postmaster()).socket ?? "";
    const client = new pg.Client({ host, port: 5432, user: LOGINS.owner, database: DATABASE, ssl: false });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  return {
    path,
    data,
    firstRun: async () => JSON.parse(await readFile(join(path, "first-run.json"), "utf8")) as FirstRun,
    postmasterPid: async () => (await postmaster()).pid,
    connect,
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const client = await connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}
