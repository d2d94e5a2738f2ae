import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Contact, ContactFields } from "../model.ts";

export type MergeRow = {
  id: string;
  into_id: string;
  from_id: string;
  /** Null once either contact is erased. */
  into_before: ContactFields | null;
  from_before: ContactFields | null;
  into_version: number;
  from_version: number;
  created_at: Date;
  undone_at: Date | null;
};

const insertStatement = statement(`
  insert into contact_merges (partner_id, id, account_id, into_id, from_id, into_before, from_before, into_version, from_version, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`);

export type Images = { into: ContactFields; from: ContactFields };

export async function insertMerge(
  tx: Tx,
  scope: TenantScope,
  id: string,
  into: Contact,
  from: Contact,
  before: Images,
): Promise<void> {
  const ids = [scope.partner_id, id, into.account_id, into.id, from.id];
  await tx.query(insertStatement, [...ids, before.into, before.from, into.version, from.version, tx.now]);
}

const lockMerge = statement(`
  select m.id, m.into_id, m.from_id, m.into_before, m.from_before, m.into_version, m.from_version, m.created_at, m.undone_at
  from contact_merges m
  where m.partner_id = $1 and m.id = $2 and ($3::text[] is null or m.account_id = any ($3))
  for update`);

export async function mergeForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<MergeRow | null> {
  const [row] = await tx.query<MergeRow>(lockMerge, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const undoneStatement = statement("update contact_merges set undone_at = $3 where partner_id = $1 and id = $2");

export async function markUndone(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.query(undoneStatement, [scope.partner_id, id, tx.now]);
}

/** Those that were merged into some contacts. */
const mergedStatement = statement("select c.id from contacts c where c.partner_id = $1 and c.merged_into = any ($2)");

/** A contact and those that were merged into it, and so on. */
export async function familyOf(db: Queryable, scope: TenantScope, id: string): Promise<string[]> {
  const family = new Set([id]);
  for (let generation = [id]; generation.length > 0; ) {
    const rows = await db.query<{ id: string }>(mergedStatement, [scope.partner_id, generation]);
    generation = rows.map((row) => row.id).filter((merged) => !family.has(merged));
    for (const merged of generation) family.add(merged);
  }
  return [...family];
}
