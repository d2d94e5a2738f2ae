import type { Connection } from "../db/connection.ts";
import { copyOut } from "../db/copy.ts";
import { appliedMigrations, holdMigrations } from "../db/migrate.ts";
import { openSession, quoteName, type Session } from "../db/session.ts";
import { BackupRefused, countRows, type Manifest, type Origin, type TableEnd } from "./format.ts";
import { copyOutText, readSequences, readTables, type Table } from "./tables.ts";
import { createBackupWriter, type Sink } from "./write-file.ts";

/** Progress; `share` is from 0 to 1. */
export type BackupProgress = { table: string; rows: number; bytes: number; share: number };

export type BackupOptions = {
  owner: Connection;
  version: string;
  key_fingerprint: string | null;
  sink: Sink;
  signal?: AbortSignal;
  onProgress?: (progress: BackupProgress) => void;
};

/** Writes a consistent snapshot. Writers are not blocked; migrations wait until it has finished. */
export async function writeBackup({
  owner,
  version,
  key_fingerprint,
  sink,
  signal,
  onProgress,
}: BackupOptions): Promise<Manifest> {
  const session = await openSession(owner, "backup", signal);
  try {
    await holdMigrations(session);
    const names = (await readTables(session)).map(({ name }) => quoteName(name));
    await session.query("begin isolation level repeatable read read only");
    // A cluster has a snapshot for each of its connections: with one to each node, what a partner has fits together.
    await session.query("set local citus.max_adaptive_executor_pool_size = 1");
    // Before the snapshot is taken: a partition that retention dropped meanwhile would be missing without an error.
    if (names.length > 0) await session.query(`lock table ${names.join(", ")} in access share mode`);
    const origin: Origin = { version, ...(await describeDatabase(session)), key_fingerprint };
    const tables = await readTables(session);
    const writer = createBackupWriter(sink);
    await writer.head({ ...origin, tables: tables.map(({ name }) => name) });
    const watch = createProgress(tables, onProgress);
    const ends: TableEnd[] = [];
    for (const table of tables) {
      const { name, columns, partitions } = table;
      const { chunks, rows } = copyOut(session, copyOutText(table));
      ends.push(await writer.table({ name, columns, partitions }, watch(name, chunks), () => rows));
    }
    const manifest: Manifest = {
      ...origin,
      tables: ends,
      rows: sum(ends, "rows"),
      bytes: sum(ends, "bytes"),
      sequences: await readSequences(session),
    };
    await writer.manifest(manifest);
    return manifest;
  } finally {
    await session.end().catch(() => undefined);
  }
}

function sum(ends: TableEnd[], what: "rows" | "bytes"): number {
  return ends.reduce((total, end) => total + end[what], 0);
}

async function describeDatabase(session: Session): Promise<Omit<Origin, "version" | "key_fingerprint">> {
  const { rows } = await session.query<{ postgres: string; created_at: string }>(`
    select current_setting('server_version') as postgres,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at`);
  const migrations = [...(await appliedMigrations(session))].map(([number, checksum]) => ({ number, checksum }));
  if (rows[0] === undefined || migrations.length === 0) {
    throw new BackupRefused("There is nothing to back up.", "The database has never been migrated: start the service first.");
  }
  return { ...rows[0], migrations };
}

/** Passes rows through and reports progress, by the planner's estimate of the row counts. */
function createProgress(tables: Table[], onProgress: BackupOptions["onProgress"] = () => undefined) {
  const rows_about = tables.reduce((total, table) => total + table.rows_about, 0);
  let rows = 0;
  let bytes = 0;
  return async function* watch(table: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      rows += countRows(chunk);
      bytes += chunk.length;
      onProgress({ table, rows, bytes, share: Math.min(1, rows / Math.max(1, rows_about)) });
      yield chunk;
    }
  };
}
