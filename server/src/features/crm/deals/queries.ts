import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import type { Deal, DealFields, Standing } from "./model.ts";

/** A deal as the API shows it at a moment, from a row `c`. */
export const dealJson = (now: string) => `(select row_to_json(x)::text from (select
    c.id, c.account_id, c.sale, c.name, c.pipeline_id, c.stage_id, s.name as stage, s.type as stage_type, c.status, s.probability,
    wire_time(c.stage_entered_at) as stage_entered_at,
    greatest(floor(extract(epoch from ${now}::timestamptz - c.stage_entered_at) / 86400), 0)::int as days_in_stage,
    c.amount_cents, c.currency, c.expected_close_on, c.contact_id, c.lead_id, c.owner_id, c.lost_reason, c.tags, c.notes, c.custom,
    c.external_id, c.company, c.company_domain, c.contact, c.plan, c.mrr_cents, c.client_id,
    case when c.sale then (select json_build_object('status', r.status, 'protected_until', wire_time(r.protected_until), 'reason', r.reason)
      from registrations r where r.partner_id = c.partner_id and r.deal_id = c.id) end as registration,
    wire_time(c.won_at) as won_at, wire_time(c.lost_at) as lost_at,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version
    from stages s where s.partner_id = c.partner_id and s.id = c.stage_id) x)`;

const deal = (now: string) => `${dealJson(now)} as json, wire_time(c.first_won_at) as first_won_at, c.deleted_at`;

type Row = { json: string; first_won_at: string | null; deleted_at: Date | null };

/** Its days in the stage show in it and are not a change, so that the ETag has them too. */
function read(row: Row): Deal {
  const shown = JSON.parse(row.json);
  return { ...shown, ...row, etag: `${shown.version}-${shown.days_in_stage}` };
}

/** Every column that a change can change, in one order for both statements. */
const CHANGEABLE = [
  "name",
  "amount_cents",
  "currency",
  "expected_close_on",
  "contact_id",
  "owner_id",
  "tags",
  "notes",
  "custom",
  "external_id",
  "company",
  "company_domain",
  "contact",
  "plan",
  "mrr_cents",
  "client_id",
  "pipeline_id",
  "stage_id",
  "status",
  "stage_entered_at",
  "lost_reason",
  "won_at",
  "lost_at",
  "first_won_at",
] as const satisfies (keyof (DealFields & Standing))[];

const places = (first: number) => CHANGEABLE.map((_, index) => `$${first + index}`);

const insertStatement = statement(`
  insert into deals as c (partner_id, id, account_id, sale, lead_id, created_at, updated_at, ${CHANGEABLE.join(", ")})
  values ($1, $2, $3, $4, $5, $6, $6, ${places(7).join(", ")})
  on conflict do nothing
  returning ${deal("$6")}`);

export type NewDeal = DealFields & Standing & Pick<Deal, "account_id" | "sale" | "lead_id">;

/** Adds a deal; null when its external id is another's. */
export async function insertDeal(tx: Tx, scope: TenantScope, fields: NewDeal): Promise<Deal | null> {
  const { account_id, sale, lead_id } = fields;
  const place = [scope.partner_id, tx.newId("deal"), account_id, sale, lead_id, tx.now];
  const [row] = await tx.query<Row>(insertStatement, [...place, ...CHANGEABLE.map((column) => fields[column])]);
  return row === undefined ? null : read(row);
}

const VISIBLE = "c.partner_id = $1 and ($3::text[] is null or c.account_id = any ($3))";
const dealById = statement(`select ${deal("$4")} from deals c where ${VISIBLE} and c.id = $2 and c.deleted_at is null`);

/** One deal that the caller may see, as it is at a moment. */
export async function dealOrNull(db: Queryable, scope: TenantScope, id: string, now: Date): Promise<Deal | null> {
  const [row] = await db.query<Row>(dealById, [scope.partner_id, id, boundClients(scope), now]);
  return row === undefined ? null : read(row);
}

const lockStatement = statement(`select c.id from deals c where ${VISIBLE} and c.id = any ($2) order by c.id for no key update`);
const dealsById = statement(`select ${deal("$4")} from deals c where ${VISIBLE} and c.id = any ($2) order by c.id`);

/**
 * Deals that the caller may change, gone ones too, locked in one order, so that two calls do not wait for each other. They are read
 * after they are locked, because a statement that waited would not see a stage that was made meanwhile.
 */
export async function dealsForUpdate(tx: Tx, scope: TenantScope, ids: readonly string[]): Promise<Deal[]> {
  const values = [scope.partner_id, ids, boundClients(scope)];
  const [, rows] = await Promise.all([tx.query(lockStatement, values), tx.query<Row>(dealsById, [...values, tx.now])]);
  return rows.map(read);
}

const updateStatement = statement(`
  update deals c set ${places(5)
    .map((place, index) => `${CHANGEABLE[index]} = ${place}`)
    .join(", ")}, deleted_at = $4, updated_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.id = $2
  returning ${deal("$3")}`);

/** Saves a deal that was locked before; null when its external id is another's. */
export async function saveDeal(tx: Tx, scope: TenantScope, saved: Deal): Promise<Deal | null> {
  const values = [scope.partner_id, saved.id, tx.now, saved.deleted_at, ...CHANGEABLE.map((column) => saved[column])];
  const rows = await unlessTaken(tx, () => tx.query<Row>(updateStatement, values));
  if (rows === null) return null;
  if (rows[0] === undefined) throw new Error("the deal was not saved");
  return read(rows[0]);
}

const externalIdOwner = statement(`
  select c.id from deals c where c.partner_id = $1 and c.account_id = $2 and c.external_id = $3 and c.deleted_at is null`);

/** Whose an external id is that is taken. */
export async function dealWithExternalId(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  external_id: string | null,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(externalIdOwner, [scope.partner_id, account_id, external_id]);
  return row?.id ?? null;
}

const contactStatement = statement(`
  select 1 from contacts c where c.partner_id = $1 and c.account_id = $2 and c.id = $3 and c.deleted_at is null`);

/** Whether an account has a contact. */
export async function isContact(tx: Queryable, scope: TenantScope, account_id: string, id: string): Promise<boolean> {
  return (await tx.query(contactStatement, [scope.partner_id, account_id, id])).length > 0;
}

const clientStatement = statement(`
  select 1 from clients c where c.partner_id = $1 and c.id = $2 and not c.house and ($3::text[] is null or c.id = any ($3))`);

/** Whether there is a client that a sale could be to. */
export async function isClient(tx: Queryable, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(clientStatement, [scope.partner_id, id, boundClients(scope)])).length > 0;
}
