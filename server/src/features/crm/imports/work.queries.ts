import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { ImportRow } from "./queries.ts";

const nextStatement = statement(`
  select n.partner_id, n.id from (
    select distinct on (partner_id) partner_id, id, worked_at from imports where status in ('queued', 'running', 'reverting')
    order by partner_id, worked_at, id) n
  order by n.worked_at limit 100`);

/** One import of each partner that has any to work on, the one that has waited longest, so that nobody waits for another's file. */
export function importsToWork(db: Queryable): Promise<{ partner_id: string; id: string }[]> {
  return db.query(nextStatement);
}

export type WorkedImport = Omit<ImportRow, "json" | "finished_at" | "cleared" | "created_by" | "removed" | "restored" | "kept">;

const COLUMNS = `partner_id, id, account_id, resource, mode, dry_run, status, plan, total, processed, created, updated, unchanged, failed, place, row,
    batches, attempts, worked_for`;

/** Whoever works on it has it alone; the others pass on to the next. */
const holdStatement = statement(`
  select ${COLUMNS} from imports where partner_id = $1 and id = $2 and status in ('queued', 'running', 'reverting')
  for update skip locked`);

export async function importToWorkOrNull(tx: Queryable, partner_id: string, id: string): Promise<WorkedImport | null> {
  return (await tx.query<WorkedImport>(holdStatement, [partner_id, id]))[0] ?? null;
}

export type Counts = { created: number; updated: number; unchanged: number; failed: number };

const progressStatement = statement(`
  update imports set status = 'running', place = $3, row = $4, batches = batches + $5, attempts = 0, processed = processed + $6 + $7 + $8 + $9,
    created = created + $6, updated = updated + $7, unchanged = unchanged + $8, failed = failed + $9, worked_at = clock_timestamp(),
    started_at = coalesce(started_at, $10)
  where partner_id = $1 and id = $2`);

export type Progress = Counts & { place: number; row: number; batches: number; now: Date };

/** Notes how far an import is, in the transaction that brought it there. */
export async function saveProgress(tx: Queryable, { partner_id, id }: WorkedImport, made: Progress): Promise<void> {
  const { place, row, batches, created, updated, unchanged, failed, now } = made;
  await tx.query(progressStatement, [partner_id, id, place, row, batches, created, updated, unchanged, failed, now]);
}

const batchStatement = statement("insert into import_batches (partner_id, import_id, ordinal, created) values ($1, $2, $3, $4)");

export async function insertBatch(
  tx: Queryable,
  { partner_id, id, batches }: WorkedImport,
  created: readonly string[],
): Promise<void> {
  await tx.query(batchStatement, [partner_id, id, batches, created]);
}

const knownStatement = statement(`
  select identity from import_identities where partner_id = $1 and import_id = $2 and identity = any ($3)`);

/** Which of these identities earlier rows of a dry run would have made. */
export async function knownIdentities(
  tx: Queryable,
  { partner_id, id }: WorkedImport,
  identities: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await tx.query<{ identity: Buffer }>(knownStatement, [partner_id, id, identities]);
  return new Set(rows.map(({ identity }) => identity.toString("hex")));
}

const noteStatement = statement(`
  insert into import_identities (partner_id, import_id, identity) select $1, $2, v from unnest($3::bytea[]) v on conflict do nothing`);

export async function noteIdentities(
  tx: Queryable,
  { partner_id, id }: WorkedImport,
  identities: readonly Buffer[],
): Promise<void> {
  await tx.query(noteStatement, [partner_id, id, identities]);
}

const forgetStatement = statement("delete from import_identities where partner_id = $1 and import_id = $2");

export async function dropIdentities(tx: Queryable, { partner_id, id }: Pick<WorkedImport, "partner_id" | "id">): Promise<void> {
  await tx.query(forgetStatement, [partner_id, id]);
}

const attemptStatement = statement(`
  update imports set attempts = attempts + 1, worked_at = clock_timestamp() where partner_id = $1 and id = $2 returning attempts`);

/** Counts a step that went wrong, so that one that always does ends some time. */
export async function noteAttempt(db: Queryable, partner_id: string, id: string): Promise<number> {
  return (await db.query<{ attempts: number }>(attemptStatement, [partner_id, id]))[0]?.attempts ?? 0;
}

const lastBatchStatement = statement(`
  select ordinal, created from import_batches where partner_id = $1 and import_id = $2 order by ordinal desc limit 1`);

export async function lastBatchOrNull(tx: Queryable, { partner_id, id }: WorkedImport) {
  return (await tx.query<{ ordinal: number; created: string[] }>(lastBatchStatement, [partner_id, id]))[0] ?? null;
}

const dropBatchStatement = statement("delete from import_batches where partner_id = $1 and import_id = $2 and ordinal = $3");

export async function dropBatch(tx: Queryable, { partner_id, id }: WorkedImport, ordinal: number): Promise<void> {
  await tx.query(dropBatchStatement, [partner_id, id, ordinal]);
}

const revertedStatement = statement(`
  update imports set removed = removed + $3, restored = restored + $4, kept = kept + $5, worked_at = clock_timestamp(), attempts = 0
  where partner_id = $1 and id = $2`);

export type Reverted = { removed: number; restored: number; kept: number };

export async function saveReverted(
  tx: Queryable,
  { partner_id, id }: WorkedImport,
  { removed, restored, kept }: Reverted,
): Promise<void> {
  await tx.query(revertedStatement, [partner_id, id, removed, restored, kept]);
}
