import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import { IMPORT_COLUMNS, type ImportRow, IS_ACTIVE } from "./queries.ts";

const nextStatement = pollStatement(`
  -- all partners: the poll of the import workers, every 250 ms.
  select n.partner_id, n.id from (
    select distinct on (partner_id) partner_id, id, worked_at from imports where ${IS_ACTIVE}
    order by partner_id, worked_at, id) n
  order by n.worked_at limit 100`);

/** The active import of each partner that has waited longest. One per partner, so that no partner waits for another's file. */
export function nextImports(db: Queryable): Promise<{ partner_id: string; id: string }[]> {
  return db.query(nextStatement);
}

export type ActiveImport = Omit<ImportRow, "json">;

/** Skips an import that another process is working on. */
const lockStatement = statement(`
  select ${IMPORT_COLUMNS.join(", ")} from imports where partner_id = $1 and id = $2 and ${IS_ACTIVE} for update skip locked`);

export async function activeImportForUpdateOrNull(tx: Queryable, partner_id: string, id: string): Promise<ActiveImport | null> {
  return (await tx.query<ActiveImport>(lockStatement, [partner_id, id]))[0] ?? null;
}

type Id = Pick<ImportRow, "partner_id" | "id">;

const ADDED = ["batches", "created", "updated", "unchanged", "failed"] as const;

export type Progress = Pick<ImportRow, "byte_offset" | "row" | (typeof ADDED)[number]> & { now: Date };

const progressStatement = statement(`
  update imports set status = 'running', attempts = 0, worked_at = $3, started_at = coalesce(started_at, $3), byte_offset = $4, row = $5,
    ${ADDED.map((column, index) => `${column} = ${column} + $${6 + index}`).join(", ")}, processed = processed + $7 + $8 + $9 + $10
  where partner_id = $1 and id = $2`);

/** Saves the position of an import and adds the counts of a step, in the transaction of that step. */
export async function saveProgress(tx: Queryable, { partner_id, id }: Id, progress: Progress): Promise<void> {
  const { now, byte_offset, row } = progress;
  await tx.query(progressStatement, [partner_id, id, now, byte_offset, row, ...ADDED.map((column) => progress[column])]);
}

const batchStatement = statement("insert into import_batches (partner_id, import_id, ordinal, created) values ($1, $2, $3, $4)");

export async function insertBatch(
  tx: Queryable,
  { partner_id, id, batches }: ActiveImport,
  created: readonly string[],
): Promise<void> {
  await tx.query(batchStatement, [partner_id, id, batches, created]);
}

const knownStatement = statement(`
  select identity from import_identities where partner_id = $1 and import_id = $2 and identity = any ($3)`);

/** Which of these identities earlier rows of a dry run would have created. */
export async function knownIdentities(
  tx: Queryable,
  { partner_id, id }: Id,
  identities: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await tx.query<{ identity: Buffer }>(knownStatement, [partner_id, id, identities]);
  return new Set(rows.map(({ identity }) => identity.toString("hex")));
}

const insertIdentitiesStatement = statement(`
  insert into import_identities (partner_id, import_id, identity) select $1, $2, v from unnest($3::bytea[]) v on conflict do nothing`);

export async function insertIdentities(tx: Queryable, { partner_id, id }: Id, identities: readonly Buffer[]): Promise<void> {
  await tx.query(insertIdentitiesStatement, [partner_id, id, identities]);
}

const deleteIdentitiesStatement = statement("delete from import_identities where partner_id = $1 and import_id = $2");

export async function deleteIdentities(tx: Queryable, { partner_id, id }: Id): Promise<void> {
  await tx.query(deleteIdentitiesStatement, [partner_id, id]);
}

const attemptStatement = statement(`
  update imports set attempts = attempts + 1, worked_at = $3 where partner_id = $1 and id = $2 returning attempts`);

/** Counts a failed step, so that an import whose steps keep failing ends. */
export async function countAttempt(db: Queryable, partner_id: string, id: string, now: Date): Promise<number> {
  return (await db.query<{ attempts: number }>(attemptStatement, [partner_id, id, now]))[0]?.attempts ?? 0;
}

const lastBatchStatement = statement(`
  select ordinal, created from import_batches where partner_id = $1 and import_id = $2 order by ordinal desc limit 1`);

export async function lastBatchOrNull(tx: Queryable, { partner_id, id }: Id) {
  return (await tx.query<{ ordinal: number; created: string[] }>(lastBatchStatement, [partner_id, id]))[0] ?? null;
}

const deleteBatchStatement = statement("delete from import_batches where partner_id = $1 and import_id = $2 and ordinal = $3");

export async function deleteBatch(tx: Queryable, { partner_id, id }: Id, ordinal: number): Promise<void> {
  await tx.query(deleteBatchStatement, [partner_id, id, ordinal]);
}

export type RevertCounts = Pick<ImportRow, "removed" | "restored" | "kept">;

const revertStatement = statement(`
  update imports set removed = removed + $3, restored = restored + $4, kept = kept + $5, worked_at = $6, attempts = 0
  where partner_id = $1 and id = $2`);

/** Adds the counts of a step of a revert. */
export async function saveRevertProgress(tx: Queryable, { partner_id, id }: Id, counts: RevertCounts, now: Date): Promise<void> {
  await tx.query(revertStatement, [partner_id, id, counts.removed, counts.restored, counts.kept, now]);
}
