import type { TenantScope } from "../../../kernel/principal.ts";
import { columnsOf } from "../../../platform/db/columns.ts";
import { recordset } from "../../../platform/db/recordset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { COLUMNS, type DealFields, type StageState } from "./model.ts";

const takenStatement = statement(`
  select c.external_id from deals c
  where c.partner_id = $1 and c.account_id = $2 and c.external_id = any ($3) and c.deleted_at is null`);

/** Those of some external ids that deals of an account have. */
export async function takenExternalIds(tx: Queryable, scope: TenantScope, account_id: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ external_id: string }>(takenStatement, [scope.partner_id, account_id, ids]);
  return rows.map(({ external_id }) => external_id);
}

const contactsStatement = statement(`
  select c.id from contacts c where c.partner_id = $1 and c.account_id = $2 and c.id = any ($3) and c.deleted_at is null
  order by c.id for share`);

/** Those of some contacts that an account has, none of which is deleted or erased before the transaction ends. */
export async function contactsAmong(tx: Queryable, scope: TenantScope, account_id: string, ids: readonly string[]) {
  if (ids.length === 0) return new Set<string>();
  const rows = await tx.query<{ id: string }>(contactsStatement, [scope.partner_id, account_id, ids]);
  return new Set(rows.map(({ id }) => id));
}

const TYPES: Partial<Record<(typeof COLUMNS)[number], string>> = {
  amount_cents: "bigint",
  mrr_cents: "bigint",
  expected_close_on: "date",
  tags: "text[]",
  custom: "jsonb",
  contact: "jsonb",
  stage_entered_at: "timestamptz",
  won_at: "timestamptz",
  lost_at: "timestamptz",
  first_won_at: "timestamptz",
  sale: "boolean",
};
const ROWS = recordset("$3", {
  id: "text",
  ...Object.fromEntries(COLUMNS.map((column) => [column, TYPES[column] ?? "text"])),
});

const insertStatement = statement(`
  insert into deals (partner_id, account_id, id, created_at, updated_at, ${COLUMNS.join(", ")})
  select $1, $2, v.id, $4, $4, ${columnsOf("v", COLUMNS)} from ${ROWS}
  on conflict do nothing
  returning id`);

const enterStatement = statement(`
  insert into deal_stages (partner_id, deal_id, ordinal, account_id, pipeline_id, stage_id, entered_at, moved_by)
  select $1, v.id, 0, $2, v.pipeline_id, v.stage_id, v.stage_entered_at, $4 from ${ROWS}`);

export type ImportedDeal = DealFields & StageState & { id: string };

/** Inserts deals of a client's account with their first stages; false where one of their external ids is in use. */
export async function insertDeals(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  deals: readonly ImportedDeal[],
  moved_by: string,
): Promise<boolean> {
  const values = [scope.partner_id, account_id, JSON.stringify(deals.map((deal) => ({ ...deal, sale: false })))];
  const inserted = await tx.query(insertStatement, [...values, tx.now]);
  if (inserted.length < deals.length) return false;
  await tx.query(enterStatement, [...values, moved_by]);
  return true;
}
