import type { Connection } from "../db/connection.ts";
import { copyIn } from "../db/copy.ts";
import { appliedMigrations, applyMigrations, claimMigrations, type Migration, requireSupportedDatabase } from "../db/migrate.ts";
import { claimAlone } from "../db/presence.ts";
import { openSession, quoteName, type Session } from "../db/session.ts";
import { BackupRefused, type Head, type Manifest } from "./format.ts";
import { type Receiver, readBackup } from "./read-file.ts";
import { countTables, dropIndexesAndReferences, replaceSchema } from "./replace-schema.ts";
import { addPartitions, copyInText, readTables, requireTable, requireTables, writeSequences } from "./tables.ts";

export type RestoreOptions = {
  owner: Connection;
  /** The login of the service, which is granted its privileges. */
  service_role: string;
  /** All migrations of this version. */
  migrations: Migration[];
  source: AsyncIterable<Buffer>;
  signal?: AbortSignal;
  key_fingerprint: string | null;
  /** The database counts as empty while this table is empty. */
  content_table: string;
  /** Called before anything is changed; each throws to refuse the restore. */
  confirm: {
    /** The backup's secrets are encrypted with another key. */
    otherKey(): Promise<void>;
    /** The database is not empty; `rows` has the row count of each table. */
    deletion(rows: Map<string, number>): Promise<void>;
  };
  onTable?: (name: string) => void;
};

/**
 * Replaces all data of a database with a backup, in one transaction: it commits only once the whole file has been read
 * and verified, so any failure leaves the database unchanged. The tables are created at the backup's migration, filled,
 * and then migrated to the newest one.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const session = await openSession(options.owner, "restore", options.signal);
  try {
    return await readBackup(options.source, async (head) => {
      refuseForeign(head, options.migrations);
      if (head.key_fingerprint !== options.key_fingerprint) await options.confirm.otherKey();
      await claimDatabase(session, options);
      return beginLoad(session, head, options);
    });
  } finally {
    await session.end().catch(() => undefined);
  }
}

function refuseForeign({ version, migrations }: Head, known: Migration[]): void {
  const newest = known.at(-1)?.number ?? 0;
  for (const { number, checksum } of migrations) {
    if (number > newest) {
      throw new BackupRefused(
        `The backup has migration ${number}; this version only knows ${newest}.`,
        `Use version ${version}, which wrote it, or a newer one.`,
      );
    }
    if (known.find((migration) => migration.number === number)?.checksum !== checksum) {
      throw new BackupRefused(
        `Migration ${number} of the backup differs from that of this version.`,
        `Use version ${version}, which wrote it.`,
      );
    }
  }
}

async function claimDatabase(session: Session, { migrations, content_table, confirm }: RestoreOptions): Promise<void> {
  await requireSupportedDatabase(session);
  if (!(await claimAlone(session))) {
    throw new BackupRefused("A service or worker is running on this database.", "Stop all of them, then restore.");
  }
  if (!(await claimMigrations(session))) {
    throw new BackupRefused("A backup or a migration is running on this database.", "Restore when it has finished.");
  }
  const [newest = 0] = [...(await appliedMigrations(session)).keys()].slice(-1);
  if (newest > (migrations.at(-1)?.number ?? 0)) {
    throw new BackupRefused(
      `The database has migration ${newest}, which this version does not know.`,
      "Use the version that migrated it.",
    );
  }
  const rows = await countTables(session);
  if ((rows.get(content_table) ?? 0) > 0) await confirm.deletion(rows);
}

async function beginLoad(session: Session, head: Head, options: RestoreOptions): Promise<Receiver> {
  const { migrations, service_role, onTable } = options;
  const reached = head.migrations.at(-1)?.number ?? 0;
  await session.query("begin");
  // Another session with a lock must not block this one for ever; the new tables are not visible to others.
  await session.query("set local lock_timeout = '10s'");
  await session.query("set local synchronous_commit = on");
  await session.query("set local maintenance_work_mem = '256MB'");
  // The tables of a cluster that go refer to each other.
  await session.query("set local citus.multi_shard_modify_mode = 'sequential'");
  await replaceSchema(
    session,
    migrations.filter(({ number }) => number <= reached),
    service_role,
  );
  const tables = await readTables(session);
  requireTables(tables, head.tables);
  const dropped = await dropIndexesAndReferences(session);
  // Some migrations add rows, which the backup has as they are now.
  await session.query(`truncate ${tables.map(({ name }) => quoteName(name)).join(", ")}`);
  return {
    async table(start, pieces) {
      onTable?.(start.name);
      await addPartitions(session, start, requireTable(tables, start).partitions);
      return copyIn(session, copyInText(start), pieces);
    },
    async finish({ sequences }) {
      onTable?.("indexes");
      for (const add of dropped) await session.query(add);
      await writeSequences(session, sequences);
      await applyMigrations(
        session,
        migrations.filter(({ number }) => number > reached),
        service_role,
      );
      for (const { name } of await readTables(session)) await session.query(`analyze ${quoteName(name)}`);
      const { command } = await session.query("commit");
      if (command !== "COMMIT") throw new Error(`the restore was not committed: COMMIT answered ${command}`);
    },
  };
}
