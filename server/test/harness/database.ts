import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { WORKER_SETTINGS } from "../../src/platform/db/connection.ts";
import { eventually } from "../postgres/processes.ts";
import { TABLES } from "./tables.ts";

export type TestDatabase = {
  name: string;
  owner: { host: string; port: number; user: string; database: string };
  service: { host: string; port: number; user: string; database: string; distributed: boolean };
  sandbox: { host: string; port: number; user: string; database: string };
  /** As an address, for processes of their own. */
  url(login: "owner" | "service"): string;
  /** A session of the owner, for the caller to end; on another node of a cluster by its port. */
  connect(port?: number): Promise<pg.Client>;
  /** The ports of the nodes that have the rows of partners. */
  holders: number[];
  /** Plain SQL as the owner, for looking at what is really there. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Ends the sessions of `sql`, so that others can be cloned from it. They open again when needed. */
  disconnect(): Promise<void>;
  drop(): Promise<void>;
};

export type DatabaseOptions = {
  /** False for an empty one, for tests of the migration itself. */
  migrated?: boolean;
  /** Another database to clone, without sessions on it. */
  template?: string;
  name?: string;
};

/** A database of its own, cloned from the migrated one by default. Copying its files takes a sixth of the CPU time of logging them. */
export async function createTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const { owner, service, sandbox } = inject("postgres");
  const { migrated = true, template = migrated ? "tributary" : "template1" } = options;
  const { name = `test_${randomBytes(6).toString("hex")}` } = options;
  const statement = `create database ${name} template ${template} owner ${owner.user} strategy file_copy`;
  // A cluster has the database on every node, under the same name.
  const nodes = template === "template1" ? [owner.port] : [...inject("workers"), owner.port];
  if (nodes.length > 1)
    for (const port of nodes) await administer((session) => session.query(CLOSE_TO_CLUSTER, [template]), port);
  for (const port of nodes)
    await administer(async (session) => {
      await eventually("the template to be free", () => doneOnceFree(session, statement, template));
      // A clone has the rights of its template, except those on the database itself, and none of its settings.
      await session.query(`revoke temporary on database ${name} from public`);
      if (port !== owner.port)
        for (const [setting, value] of Object.entries(WORKER_SETTINGS))
          await session.query(`alter database ${name} set ${setting} to '${value}'`);
    }, port);
  let pool = openPool({ ...owner, database: name });
  return {
    name,
    owner: { ...owner, database: name },
    service: { ...service, database: name, distributed: nodes.length > 1 },
    sandbox: { ...sandbox, database: name },
    url(login) {
      const { host, port, user } = login === "owner" ? owner : service;
      return `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
    },
    holders: nodes.length > 1 ? inject("workers") : [owner.port],
    async connect(port = owner.port) {
      const client = new pg.Client({ ...owner, port, database: name });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      try {
        return (await pool.query<Row>(text, values)).rows;
      } catch (error) {
        if (nodes.length === 1 || !isRefusedByCluster(error, text)) throw error;
        return readOnOneNode<Row>(pool, text, values);
      }
    },
    async disconnect() {
      const used = pool;
      pool = openPool({ ...owner, database: name });
      await used.end();
    },
    async drop() {
      await pool.end();
      for (const port of nodes.toReversed())
        await administer(
          (session) => eventually("its sessions to end", () => doneOnceFree(session, `drop database ${name} with (force)`, name)),
          port,
        );
    },
  };
}

const IN_USE = "55006";
/** A cluster has sessions of its own on every database that can be connected to. */
const CLOSE_TO_CLUSTER = "update pg_database set datallowconn = false where datname = $1 and datallowconn";
const END_CLUSTER_SESSIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = $1 and (backend_type like 'Citus%' or application_name like 'citus%')`;

/** Null while sessions on the database are still ending. Those that a cluster opens by itself are ended. */
async function doneOnceFree(session: pg.Client, statement: string, database: string): Promise<true | null> {
  if (inject("workers").length > 0) await session.query(END_CLUSTER_SESSIONS, [database]);
  try {
    await session.query(statement);
    return true;
  } catch (error) {
    if ((error as pg.DatabaseError).code === IN_USE) return null;
    throw error;
  }
}

/** Not supported, and what a cluster has no code for. */
const REFUSALS = ["0A000", "XX000"];

const isRefusedByCluster = (error: unknown, text: string) =>
  REFUSALS.includes((error as pg.DatabaseError).code ?? "") && /^\s*(select|with)\b/i.test(text);

/** A look over all partners that a cluster does not take as one statement: at copies of its tables on the coordinator. */
async function readOnOneNode<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string, values: unknown[]): Promise<Row[]> {
  const mentioned = Object.entries(TABLES).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const [name, { distribution }] of mentioned)
      if (distribution !== "local")
        await client.query(`create temporary table ${name} on commit drop as select * from public.${name}`);
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

function openPool(login: object): pg.Pool {
  const pool = new pg.Pool({ ...login, max: 4 });
  // A session that is cut while idle is no fault of the test that looks at the database with it.
  pool.on("error", () => undefined);
  return pool;
}

/** As the superuser: only that one may cut sessions that a killed process of the service has left. */
export async function administer(work: (session: pg.Client) => Promise<unknown>, port?: number): Promise<void> {
  const { owner } = inject("postgres");
  const client = new pg.Client({ ...owner, port: port ?? owner.port, user: "postgres", database: "postgres" });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
