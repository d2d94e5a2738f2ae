import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, membersOf, placeholders } from "../../../platform/db/columns.ts";
import { byIds, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import { COLUMNS, type Deal, type DealFields, type StageState } from "./model.ts";
import { outcomeOf, type Registration } from "./registration/model.ts";
import { REGISTRATION, saveRegistration } from "./registration/queries.ts";
import { Deal as DealReply } from "./schema.ts";

/** The value of a deal: the monthly revenue of a sale, the amount of any other deal. Only this is weighted by a probability. */
export const dealValue = (row: string) => `coalesce(case when ${row}.sale then ${row}.mrr_cents else ${row}.amount_cents end, 0)`;

/** Whole days since the deal `c` entered its stage. */
export const daysInStage = (now: string) =>
  `greatest(floor(extract(epoch from ${now}::timestamptz - c.stage_entered_at) / 86400), 0)::int`;

/** The registration of the deal `c`, if it is a sale. */
export const REGISTRATION_JSON = `case when c.sale then (
      select json_build_object('status', r.status, 'protected_until', wire_time(r.protected_until), 'reason', r.reason)
      from registrations r where r.partner_id = $1 and r.deal_id = c.id) end`;

/** A deal as the API shows it at a time, from a row `c` of the partner $1. */
export const dealJson = (now: string) => `(select row_to_json(x)::text from (select ${membersOf(DealReply, {
  stage: "s.name",
  stage_type: "s.type",
  probability: "s.probability",
  days_in_stage: daysInStage(now),
  registration: REGISTRATION_JSON,
})}
    from stages s where s.partner_id = $1 and s.id = c.stage_id) x)`;

const deal = (now: string) =>
  `${dealJson(now)} as json, ${REGISTRATION} as registration, wire_time(c.first_won_at) as first_won_at, c.deleted_at`;

type Row = Pick<Deal, "json" | "registration" | "first_won_at" | "deleted_at">;

/** The days in the stage change without a new version, so they are part of the ETag. */
function read(row: Row): Deal {
  const shown = JSON.parse(row.json);
  return { ...shown, ...row, etag: `${shown.version}-${shown.days_in_stage}` };
}

/** Rendered outside of RETURNING, where a cluster accepts no subquery; on one node that costs the statement 0 to 4 % of its CPU time. */
const insertStatement = statement(`
  with c as (
    insert into deals as c (partner_id, id, account_id, lead_id, created_at, updated_at, ${COLUMNS.join(", ")})
    values ($1, $2, $3, $4, $5, $5, ${placeholders(COLUMNS, 6)})
    on conflict do nothing
    returning c.*
  )
  select ${deal("$5")} from c`);

export type NewDeal = DealFields & StageState & Pick<Deal, "account_id" | "sale" | "lead_id" | "affiliate_link_id">;

/** Inserts a deal; null when its external id is already in use. */
export async function insertDeal(tx: Tx, scope: TenantScope, fields: NewDeal): Promise<Deal | null> {
  const { account_id, lead_id } = fields;
  const keys = [scope.partner_id, tx.newId("deal"), account_id, lead_id, tx.now];
  const [row] = await tx.query<Row>(insertStatement, [...keys, ...COLUMNS.map((column) => fields[column])]);
  return row === undefined ? null : read(row);
}

const VISIBLE = "c.partner_id = $1 and ($3::text[] is null or c.account_id = any ($3))";
const dealById = statement(`select ${deal("$4")} from deals c where ${VISIBLE} and c.id = $2 and c.deleted_at is null`);

/** A deal that the caller may see, rendered at a time. */
export async function dealOrNull(db: Queryable, scope: TenantScope, id: string, now: Date): Promise<Deal | null> {
  const [row] = await db.query<Row>(dealById, [scope.partner_id, id, boundClients(scope), now]);
  return row === undefined ? null : read(row);
}

const lockDeals = byIds((wanted) => `select c.id from deals c where ${VISIBLE} and ${wanted} order by c.id for no key update`);
const readDeals = byIds((wanted) => `select ${deal("$4")} from deals c where ${VISIBLE} and ${wanted} order by c.id`);

/**
 * Deals that the caller may change, deleted ones included, locked in the order of their ids against deadlocks. They are read by a second
 * statement, because one that waited for a lock would not see a stage or a registration that was committed meanwhile.
 */
export async function dealsForUpdate(tx: Tx, scope: TenantScope, ids: readonly string[]): Promise<Deal[]> {
  const { statement: lock, given } = lockDeals(ids);
  const values = [scope.partner_id, given, boundClients(scope)];
  const [, rows] = await Promise.all([tx.query(lock, values), tx.query<Row>(readDeals(ids).statement, [...values, tx.now])]);
  return rows.map(read);
}

const updateStatement = statement(`
  with c as (
    update deals c set ${assignments(COLUMNS, 5)}, deleted_at = $4, updated_at = $3, version = c.version + 1
    where c.partner_id = $1 and c.id = $2
    returning c.*
  )
  select ${deal("$3")} from c`);

/** Saves a locked deal, and its registration if that has changed, as one new version; null when its external id is already in use. */
export async function saveDeal(tx: Tx, scope: TenantScope, before: Deal, after: Deal): Promise<Deal | null> {
  const { id, registration } = after;
  const registered = registration !== before.registration || outcomeOf(after) !== outcomeOf(before);
  const values = [scope.partner_id, id, tx.now, after.deleted_at, ...COLUMNS.map((column) => after[column])];
  const rows = await unlessTaken(tx, async () => {
    const [, saved] = await Promise.all([
      registered && registration !== null ? saveRegistration(tx, scope, id, registration, outcomeOf(after)) : null,
      tx.query<Row>(updateStatement, values),
    ]);
    return saved;
  });
  if (rows === null) return null;
  if (rows[0] === undefined) throw new Error("the deal was not saved");
  return read(rows[0]);
}

/** Saves the first registration of a deal that this transaction inserted. It does not count as a change of the deal. */
export async function registerInserted(tx: Tx, scope: TenantScope, deal: Deal, registration: Registration): Promise<Deal> {
  const [, [row]] = await Promise.all([
    saveRegistration(tx, scope, deal.id, registration, outcomeOf(deal)),
    tx.query<Row>(readDeals([deal.id]).statement, [scope.partner_id, deal.id, null, tx.now]),
  ]);
  if (row === undefined) throw new Error("the deal was not inserted");
  return read(row);
}

const externalIdOwner = statement(`
  select c.id from deals c where c.partner_id = $1 and c.account_id = $2 and c.external_id = $3 and c.deleted_at is null`);

/** The deal of an account that has an external id. */
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
  select 1 from contacts c where c.partner_id = $1 and c.account_id = $2 and c.id = $3 and c.deleted_at is null for share`);

/** Whether an account has a contact, which is not deleted or erased before the transaction ends. */
export async function isContact(tx: Queryable, scope: TenantScope, account_id: string, id: string): Promise<boolean> {
  return (await tx.query(contactStatement, [scope.partner_id, account_id, id])).length > 0;
}

const clientStatement = statement(`
  select 1 from clients c where c.partner_id = $1 and c.id = $2 and not c.house and ($3::text[] is null or c.id = any ($3))`);

/** Whether the caller has a client that a sale can be made to. */
export async function isClient(tx: Queryable, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(clientStatement, [scope.partner_id, id, boundClients(scope)])).length > 0;
}

const clientStatusStatement = statement("select c.status from clients c where c.partner_id = $1 and c.id = $2 for share");

/** The status of a client, which cannot change until the transaction ends. */
export async function clientStatusForShare(tx: Queryable, scope: TenantScope, id: string): Promise<string | null> {
  return (await tx.query<{ status: string }>(clientStatusStatement, [scope.partner_id, id]))[0]?.status ?? null;
}

const churnedAtStatement = statement("select c.churned_at from clients c where c.partner_id = $1 and c.id = $2");

/** When a client last left. */
export async function clientChurnedAt(tx: Queryable, scope: TenantScope, id: string): Promise<Date | null> {
  return (await tx.query<{ churned_at: Date | null }>(churnedAtStatement, [scope.partner_id, id]))[0]?.churned_at ?? null;
}
