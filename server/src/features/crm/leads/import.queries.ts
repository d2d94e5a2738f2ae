import type { TenantScope } from "../../../kernel/principal.ts";
import { columnsOf } from "../../../platform/db/columns.ts";
import { recordset } from "../../../platform/db/recordset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Identity } from "../records/index.ts";
import { type Lead, type LeadFields, NEW_COLUMNS } from "./model.ts";

const OF_ACCOUNT = "c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null";
/** A converted lead is known by its external id only. */
const TAKEN = {
  phone: statement(`select c.phone as value from leads c where ${OF_ACCOUNT} and c.converted_at is null and c.phone = any ($3)`),
  email: statement(
    `select lower(c.email) as value from leads c where ${OF_ACCOUNT} and c.converted_at is null and lower(c.email) = any ($3)`,
  ),
  external_id: statement(`select c.external_id as value from leads c where ${OF_ACCOUNT} and c.external_id = any ($3)`),
};

/** Those of some values that leads of an account have. E-mail addresses must be in lower case. */
export async function takenValues(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  field: keyof Identity,
  values: readonly string[],
): Promise<string[]> {
  if (values.length === 0) return [];
  const rows = await tx.query<{ value: string }>(TAKEN[field], [scope.partner_id, account_id, values]);
  return rows.map(({ value }) => value);
}

const TYPES: Partial<Record<(typeof NEW_COLUMNS)[number], string>> = {
  source: "jsonb",
  tags: "text[]",
  custom: "jsonb",
  score: "int",
};

const insertStatement = statement(`
  insert into leads (partner_id, account_id, id, last_activity_at, created_at, updated_at, ${NEW_COLUMNS.join(", ")})
  select $1, $2, v.id, $4, $4, $4, ${columnsOf("v", NEW_COLUMNS)}
  from ${recordset("$3", { id: "text", ...Object.fromEntries(NEW_COLUMNS.map((column) => [column, TYPES[column] ?? "text"])) })}
  on conflict do nothing
  returning id`);

export type ImportedLead = LeadFields & Pick<Lead, "id" | "score" | "affiliate_link_id">;

/** Inserts leads, except those whose phone, e-mail or external id is in use, and returns how many were inserted. */
export async function insertLeads(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  leads: readonly ImportedLead[],
): Promise<number> {
  return (await tx.query(insertStatement, [scope.partner_id, account_id, JSON.stringify(leads), tx.now])).length;
}
