import { boundClients, type TenantScope } from "../../../../kernel/principal.ts";
import { columnsOf, placeholders } from "../../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { ContactFields } from "../model.ts";

export type MergeRow = {
  id: string;
  into_id: string;
  from_id: string;
  /** Null once either contact was erased. */
  into_before: ContactFields | null;
  from_before: ContactFields | null;
  into_version: number;
  from_version: number;
  created_at: Date;
  undone_at: Date | null;
};

const INSERTED = [
  "id",
  "into_id",
  "from_id",
  "into_before",
  "from_before",
  "into_version",
  "from_version",
  "created_at",
] as const satisfies (keyof MergeRow)[];

const insertStatement = statement(`
  insert into contact_merges (partner_id, account_id, ${INSERTED.join(", ")}) values ($1, $2, ${placeholders(INSERTED, 3)})`);

export type NewMerge = Pick<MergeRow, (typeof INSERTED)[number]> & { account_id: string };

export async function insertMerge(tx: Tx, scope: TenantScope, merge: NewMerge): Promise<void> {
  await tx.query(insertStatement, [scope.partner_id, merge.account_id, ...INSERTED.map((column) => merge[column])]);
}

const lockMerge = statement(`
  select ${columnsOf("m", INSERTED)}, m.undone_at from contact_merges m
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

const mergedStatement = statement("select c.id from contacts c where c.partner_id = $1 and c.merged_into = any ($2)");

/** A contact and those that were merged into it, directly or through others. */
export function familyOf(db: Queryable, { partner_id }: TenantScope, id: string): Promise<string[]> {
  return familiesOf(db, partner_id, [id]);
}

/** The same of several contacts. */
export async function familiesOf(db: Queryable, partner_id: string, ids: readonly string[]): Promise<string[]> {
  const family = new Set(ids);
  for (let generation = [...ids]; generation.length > 0; ) {
    const rows = await db.query<{ id: string }>(mergedStatement, [partner_id, generation]);
    generation = rows.map((row) => row.id).filter((merged) => !family.has(merged));
    for (const merged of generation) family.add(merged);
  }
  return [...family];
}

/** The contact that the contact `k1` was merged into. Merges are followed four times, which is as far as they go in practice. */
export const MERGED = `coalesce(
      (select coalesce(k4.merged_into, k3.merged_into, k2.merged_into, k2.id) from contacts k2
      left join contacts k3 on k3.partner_id = $1 and k3.id = k2.merged_into
      left join contacts k4 on k4.partner_id = $1 and k4.id = k3.merged_into
      where k2.partner_id = $1 and k2.id = k1.merged_into), k1.merged_into)`;
