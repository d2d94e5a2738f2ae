import type { TenantScope } from "../../../kernel/principal.ts";
import { assignments } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { type Deal, type DealFields, PERSONAL_FIELDS } from "./model.ts";

/** All partners: the retention job; once a day, in batches. */
const dueStatement = statement(`
  (select d.partner_id, d.id from deals d
  where d.deleted_at < least($1::timestamptz, now() - make_interval(days => 30)) and d.erased_at is null
  order by d.deleted_at limit $2)
  union
  (select d.partner_id, d.id from deals d join contacts c on c.partner_id = d.partner_id and c.id = d.contact_id
  where c.erased_at is not null and (d.erased_at is null or d.erased_at < c.erased_at)
  limit $2)`);

/**
 * Deals that were deleted before a time, and those whose contact is erased. The clock of the database is compared too, so that a service
 * whose clock runs ahead erases nothing.
 */
export function dealsToErase(db: Queryable, before: Date, limit: number): Promise<{ partner_id: string; id: string }[]> {
  return db.query(dueStatement, [before, limit]);
}

export type Erased = Pick<DealFields & Deal, (typeof PERSONAL_FIELDS)[number]>;

const eraseStatement = statement(`
  update deals set ${assignments(PERSONAL_FIELDS, 4)}, erased_at = $3, updated_at = $3, version = version + 1
  where partner_id = $1 and id = $2
  returning version`);
const eraseStageNotes = statement(
  "update deal_stages set note = null where partner_id = $1 and deal_id = $2 and note is not null",
);
const eraseReason = statement(
  "update registrations set reason = null where partner_id = $1 and deal_id = $2 and reason is not null",
);

/** Saves what an erasure leaves of a locked deal, and returns its version. */
export async function saveErased(tx: Tx, { partner_id }: TenantScope, id: string, left: Erased): Promise<number> {
  const values = [partner_id, id, tx.now, ...PERSONAL_FIELDS.map((column) => left[column])];
  const [[row]] = await Promise.all([
    tx.query<{ version: number }>(eraseStatement, values),
    tx.query(eraseStageNotes, [partner_id, id]),
    tx.query(eraseReason, [partner_id, id]),
  ]);
  if (row === undefined) throw new Error("the deal was not erased");
  return row.version;
}
