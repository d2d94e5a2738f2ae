import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { type Connection, connectionSettings } from "./connection.ts";
import { applyDistributed, distributionOf } from "./distribution.ts";
import { beginWithTables } from "./lock-tables.ts";
import { DROP_SANDBOX_WORLD } from "./sandbox-world.ts";

const LOCK_KEY = 7_214_001;
const FILE = /^(\d{4})_[a-z0-9_]+\.sql$/;

export type Migration = { number: number; file: string; sql: string; checksum: string };

export async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => FILE.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, folder), "utf8");
      return { number: Number(file.slice(0, 4)), file, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Brings the database to the newest migration, each in its own transaction. A session lock lets one process at a
 * time do it, and each migration inserts its own row first, so that even without the lock two could not both apply
 * it. Returns the files applied.
 */
export async function migrate(owner: Connection, migrations: Migration[], serviceRole: string): Promise<string[]> {
  const client = new pg.Client({ ...connectionSettings(owner, "migrate"), statement_timeout: 0, lock_timeout: 0 });
  // A lost connection fails the current query; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await requireSupportedDatabase(client);
    const distribution = await distributionOf(client);
    if (distribution === "interrupted")
      throw new UnsupportedDatabase("Its distribution over a cluster was interrupted. Run tributary distribute again.");
    // Checked without the lock, which a running backup holds: a start with nothing to migrate need not wait for it.
    if (missingOf(migrations, await appliedMigrations(client)).length === 0) return [];
    await client.query("select pg_advisory_lock($1)", [LOCK_KEY]);
    await createBookkeeping(client);
    const missing = missingOf(migrations, await appliedMigrations(client));
    // Its views would hold on to columns, and to locks that a migration waits for; it is made anew at the start.
    if (missing.length > 0) await client.query(DROP_SANDBOX_WORLD);
    const run = { distributed: distribution === "complete", granted: new Map<number, string>() };
    for (const migration of missing) await applyBesideOthers(client, migration, serviceRole, run);
    return missing.map(({ file }) => file);
  } finally {
    await client.end();
  }
}

/** Blocks migrations until the session ends. Writers go on; a migration waits before it locks any table. */
export async function holdMigrations(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock_shared($1)", [LOCK_KEY]);
}

/** Blocks migrations, and sessions that block them, until the session ends. False: there is one. */
export async function claimMigrations(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ alone: boolean }>("select pg_try_advisory_lock($1) as alone", [LOCK_KEY]);
  return rows[0]?.alone === true;
}

/** The newest migration a database has; 0 for an empty one. */
export const NEWEST_MIGRATION = "select coalesce(max(number), 0)::int as number from migrations";

/** A problem of the database that its owner can fix. */
export class UnsupportedDatabase extends Error {}

const OLDEST_VERSION = 150_000;

export async function requireSupportedDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; version: string; number: number }>(`
    select current_setting('server_encoding') as encoding, current_setting('server_version') as version,
      current_setting('server_version_num')::int as number`);
  const [server] = rows;
  if (server === undefined || server.number < OLDEST_VERSION) {
    throw new UnsupportedDatabase(`The server is PostgreSQL ${server?.version}; 15 or newer is needed.`);
  }
  if (server.encoding !== "UTF8") {
    throw new UnsupportedDatabase(
      `The database is encoded in ${server.encoding}, not UTF8. Make it with: create database … encoding 'UTF8' template template0`,
    );
  }
}

export async function createBookkeeping(client: pg.Client): Promise<void> {
  await client.query(`
    create table if not exists migrations (
      number int primary key,
      file text not null,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`);
}

/** The checksums of the migrations that a database has, by number. None where it has never been migrated. */
export async function appliedMigrations(client: pg.Client): Promise<Map<number, string>> {
  const { rows: tables } = await client.query("select 1 where to_regclass('migrations') is not null");
  if (tables.length === 0) return new Map();
  const { rows } = await client.query<{ number: number; checksum: string }>("select number, checksum from migrations order by 1");
  return new Map(rows.map((row) => [row.number, row.checksum]));
}

function missingOf(migrations: Migration[], applied: Map<number, string>): Migration[] {
  refuseUnknown(applied, migrations);
  return migrations.filter(({ number }) => !applied.has(number));
}

/** A newer database is fine, because migrations are additive; a changed migration was never tested. */
function refuseUnknown(applied: Map<number, string>, migrations: Migration[]): void {
  for (const { number, file, checksum } of migrations) {
    const known = applied.get(number);
    if (known !== undefined && known !== checksum) {
      throw new UnsupportedDatabase(
        `Migration ${file} was applied with other contents. Migrations never change once released: restore the file.`,
      );
    }
  }
}

type Run = {
  /** Whether the tables are distributed over a cluster. */
  distributed: boolean;
  /** The rights granted so far, by the table's oid: each migration grants those of new tables and of changed comments. */
  granted: Map<number, string>;
};

/** The grants commit with them: a crash in between would leave tables that the service cannot use. */
export async function applyMigrations(
  client: pg.Client,
  migrations: Migration[],
  serviceRole: string,
  { distributed, granted }: Run = { distributed: false, granted: new Map() },
): Promise<void> {
  for (const { number, file, checksum, sql } of migrations) {
    try {
      await client.query("insert into migrations (number, file, checksum) values ($1, $2, $3)", [number, file, checksum]);
      await (distributed ? applyDistributed(client, sql) : client.query(sql));
    } catch (error) {
      throw new Error(`migration ${file} failed: ${(error as Error).message}`, { cause: error });
    }
  }
  if (migrations.length > 0) await grantService(client, serviceRole, granted);
}

async function applyBesideOthers(client: pg.Client, migration: Migration, serviceRole: string, run: Run): Promise<void> {
  await beginWithTables(client, migration.sql);
  try {
    await applyMigrations(client, [migration], serviceRole, run);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/**
 * Grants to the service's login: everything with rows, except to change or remove those of tables whose comment
 * says append-only. "append-only but for: a, b." lets it update these columns. Partitions are accessed through their
 * parents and get no grant of their own. A login that is both owner and service cannot be restricted.
 */
async function grantService(client: pg.Client, role: string, granted: Map<number, string>): Promise<void> {
  if (role === client.user) return;
  const { rows } = await client.query<{ oid: number; name: string; comment: string }>(`
    select c.oid, c.relname as name, coalesce(obj_description(c.oid), '') as comment
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`);
  const service = pg.escapeIdentifier(role);
  for (const { oid, name, comment } of rows) {
    const rights = name === "migrations" ? "select" : rightsOn(comment);
    if (granted.get(oid) === rights) continue;
    const table = pg.escapeIdentifier(name);
    await client.query(`revoke all on ${table} from ${service}; grant ${rights} on ${table} to ${service}`);
    granted.set(oid, rights);
  }
}

function rightsOn(comment: string): string {
  if (!comment.startsWith("append-only")) return "select, insert, update, delete";
  const columns = /^append-only but for: ([a-z_, ]+)\./.exec(comment)?.[1];
  return columns === undefined ? "select, insert" : `select, insert, update (${columns})`;
}
