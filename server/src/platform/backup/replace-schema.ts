import { JOB_SCHEMA } from "../db/job-schema.ts";
import { applyMigrations, createBookkeeping, type Migration } from "../db/migrate.ts";
import { DROP_SANDBOX_WORLD } from "../db/sandbox-world.ts";
import { quoteName, type Session } from "../db/session.ts";

/** The row count of each table, including those that are not backed up. */
export async function countTables(session: Session): Promise<Map<string, number>> {
  const { rows } = await session.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
    order by 1`);
  const counts = new Map<string, number>();
  for (const { name } of rows) {
    const { rows: counted } = await session.query<{ count: string }>(`select count(*) as count from ${quoteName(name)}`);
    counts.set(name, Number(counted[0]?.count ?? 0));
  }
  return counts;
}

const OURS = `
  select 'table' as kind, c.oid::regclass::text as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  union all
  select 'routine', p.oid::regprocedure::text from pg_proc p
  where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;

/**
 * Drops all tables and functions except those of extensions, and creates those of the migrations. The job queue is
 * dropped too: its jobs belong to the old data.
 */
export async function replaceSchema(session: Session, migrations: Migration[], serviceRole: string): Promise<void> {
  const { rows } = await session.query<{ kind: string; name: string }>(OURS);
  for (const { kind, name } of rows) await session.query(`drop ${kind} if exists ${name} cascade`);
  await session.query(`drop schema if exists ${JOB_SCHEMA} cascade`);
  await session.query(DROP_SANDBOX_WORLD);
  await createBookkeeping(session);
  await applyMigrations(session, migrations, serviceRole);
}

type Constraint = { drop: string; add: string };

const INDEXES_AND_REFERENCES = `
  select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop,
    format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) as add
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'public'::regnamespace and not c.relispartition and k.contype = 'f'
  union all
  select format('drop index %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;

/**
 * Drops indexes and foreign keys, and returns the statements that add them again: building an index, or checking a
 * foreign key, over all rows at once takes a fraction of the time.
 */
export async function dropIndexesAndReferences(session: Session): Promise<string[]> {
  const { rows } = await session.query<Constraint>(INDEXES_AND_REFERENCES);
  for (const { drop } of rows) await session.query(drop);
  return rows.map(({ add }) => add);
}
