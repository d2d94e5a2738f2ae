import type { Connection } from "../db/connection.ts";
import { copyIn } from "../db/copy.ts";
import { appliedMigrations, applyMigrations, claimMigrations, type Migration, requireSupportedDatabase } from "../db/migrate.ts";
import { claimAlone } from "../db/presence.ts";
import { openSession, quoteName, type Session } from "../db/session.ts";
import { BackupRefused, type Head, type Manifest } from "./format.ts";
import { type Receiver, readBackup } from "./read-file.ts";
import { countTables, dropExtras, replaceSchema } from "./replace-schema.ts";
import { addPartitions, copyInText, readTables, requireTable, requireTables, writeSequences } from "./tables.ts";

export type RestoreOptions = {
  owner: Connection;
  /** The login that the service works with, which gets its rights. */
  service_role: string;
  /** All that this code knows. */
  migrations: Migration[];
  source: AsyncIterable<Buffer>;
  signal?: AbortSignal;
  key_fingerprint: string | null;
  /** A database counts as empty while this table is. */
  content_table: string;
  /** Each throws where it must not go on. Asked before anything is changed. */
  confirm: {
    /** The backup's secrets are sealed with another key. */
    otherKey(): Promise<void>;
    /** The database is not empty: these are the rows of its tables. */
    deletion(rows: Map<string, number>): Promise<void>;
  };
  onTable?: (name: string) => void;
};

/**
 * Replaces everything in a database by a backup, in one transaction: it is committed only when the file has been read to
 * its end and all of it agrees, so whatever happens in between leaves the database as it was. The tables are made anew
 * as the backup's migration left them, filled, and then migrated on.
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
        `The backup has migration ${number}, and this version knows those up to ${newest}.`,
        `Use version ${version}, which made it, or a newer one.`,
      );
    }
    if (known.find((migration) => migration.number === number)?.checksum !== checksum) {
      throw new BackupRefused(
        `Migration ${number} of the backup is not the one of this version.`,
        `Use version ${version}, which made it.`,
      );
    }
  }
}

async function claimDatabase(session: Session, { migrations, content_table, confirm }: RestoreOptions): Promise<void> {
  await requireSupportedDatabase(session);
  if (!(await claimAlone(session))) {
    throw new BackupRefused("A service or worker runs on this database.", "Stop every one of them, then restore.");
  }
  if (!(await claimMigrations(session))) {
    throw new BackupRefused("A backup or a migration is under way on this database.", "Restore when it is through.");
  }
  const [newest = 0] = [...(await appliedMigrations(session)).keys()].slice(-1);
  if (newest > (migrations.at(-1)?.number ?? 0)) {
    throw new BackupRefused(
      `The database has migration ${newest}, which this version does not know.`,
      "Use the version that made it.",
    );
  }
  const rows = await countTables(session);
  if ((rows.get(content_table) ?? 0) > 0) await confirm.deletion(rows);
}

async function beginLoad(session: Session, head: Head, options: RestoreOptions): Promise<Receiver> {
  const { migrations, service_role, onTable } = options;
  const reached = head.migrations.at(-1)?.number ?? 0;
  await session.query("begin");
  // A session that reads a table by hand must not hold this one up for ever; once its tables are its own, nothing can.
  await session.query("set local lock_timeout = '10s'");
  await session.query("set local synchronous_commit = on");
  await session.query("set local maintenance_work_mem = '256MB'");
  await replaceSchema(
    session,
    migrations.filter(({ number }) => number <= reached),
    service_role,
  );
  const tables = await readTables(session);
  requireTables(tables, head.tables);
  const extras = await dropExtras(session);
  return {
    async table(start, pieces) {
      onTable?.(start.name);
      await addPartitions(session, start, requireTable(tables, start).partitions);
      return copyIn(session, copyInText(start), pieces);
    },
    async finish({ sequences }) {
      onTable?.("indexes");
      for (const add of extras) await session.query(add);
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
