import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, columnsOf, membersOf, placeholders } from "../../../platform/db/columns.ts";
import { byIds, hiddenText, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import type { Identity, Match } from "../records/index.ts";
import { COLUMNS, type Lead, type LeadFields, NEW_COLUMNS, SOURCE_FIELDS, UTM_FIELDS } from "./model.ts";
import { Lead as LeadReply } from "./schema.ts";

const SOURCE_JSON = `json_build_object('kind', c.source ->> 'kind', ${SOURCE_FIELDS.map((name) => `'${name}', c.source ->> '${name}'`).join(", ")},
    'utm', json_build_object(${UTM_FIELDS.map((name) => `'${name}', c.source #>> '{utm,${name}}'`).join(", ")}))`;

/** A lead as the API shows it, from a row `c`. */
export const LEAD_JSON = `(select row_to_json(x)::text from (select ${membersOf(LeadReply, {
  source: SOURCE_JSON,
  converted: `case when c.converted_at is not null then json_build_object('at', wire_time(c.converted_at), 'contact_id', c.contact_id,
      'deal_id', c.deal_id, 'by', c.converted_by) end`,
})}) x)`;

const LEAD = `c.id, c.account_id, ${columnsOf("c", COLUMNS)}, c.erased_at, c.created_at, c.version, c.rescored, ${LEAD_JSON} as json`;

const insertStatement = statement(`
  with c as (
    insert into leads as c (partner_id, id, account_id, last_activity_at, created_at, updated_at, ${NEW_COLUMNS.join(", ")})
    values ($1, $2, $3, $4, $4, $4, ${placeholders(NEW_COLUMNS, 5)})
    on conflict do nothing
    returning c.*
  )
  select ${LEAD} from c`);

/** Inserts a lead; null when its phone, e-mail or external id is already in use. It waits for a concurrent insert of the same. */
export async function insertLead(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  lead: LeadFields & Pick<Lead, "score" | "affiliate_link_id">,
): Promise<Lead | null> {
  const values = [scope.partner_id, tx.newId("lead"), account_id, tx.now, ...NEW_COLUMNS.map((column) => lead[column])];
  const [row] = await tx.query<Lead>(insertStatement, values);
  return row ?? null;
}

const VISIBLE = "c.partner_id = $1 and ($3::text[] is null or c.account_id = any ($3))";
const leadById = statement(`select ${LEAD} from leads c where ${VISIBLE} and c.id = $2 and c.deleted_at is null`);

/** A lead that the caller may see. */
export async function leadOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Lead | null> {
  const [row] = await db.query<Lead>(leadById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const lockLeads = byIds((wanted) => `select ${LEAD} from leads c where ${VISIBLE} and ${wanted} order by c.id for update`);

/** Leads that the caller may change, deleted ones included, locked in the order of their ids against deadlocks. */
export function leadsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Lead[]> {
  const { statement, given } = lockLeads(ids);
  return tx.query<Lead>(statement, [scope.partner_id, given, boundClients(scope)]);
}

const updateStatement = statement(`
  with c as (
    update leads c set ${assignments(COLUMNS, 4)}, updated_at = $3, version = c.version + 1
    where c.partner_id = $1 and c.id = $2
    returning c.*
  )
  select ${LEAD} from c`);

/** Saves a locked lead; null when its phone, e-mail or external id is already in use. */
export async function saveLead(tx: Tx, scope: TenantScope, lead: Lead): Promise<Lead | null> {
  const values = [scope.partner_id, lead.id, tx.now, ...COLUMNS.map((column) => lead[column])];
  const rows = await unlessTaken(tx, () => tx.query<Lead>(updateStatement, values));
  if (rows === null) return null;
  if (rows[0] === undefined) throw new Error("the lead was not saved");
  return rows[0];
}

/** A converted lead matches by its external id alone: the same person may become a lead again. */
const matching = (columns: string, lock = "") =>
  statement(`
  select ${columns}, array_remove(array[
    case when c.converted_at is null and c.phone = $3 then 'phone' end,
    case when c.converted_at is null and lower(c.email) = lower($4) then 'email' end,
    case when c.external_id = $5 then 'external_id' end], null) as matched_on
  from leads c
  where c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null
    and ((c.converted_at is null and c.phone = ${hiddenText("$3")})
      or (c.converted_at is null and lower(c.email) = lower(${hiddenText("$4")})) or c.external_id = ${hiddenText("$5")})
  order by c.id ${lock}`);
const matchesStatement = matching("c.id");
const shareMatches = matching("c.id", "for share");
const lockMatches = matching(LEAD, "for update");

/** The unconverted leads of an account with the phone or the e-mail, and the one with the external id: at most three. */
export function leadsLike(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity): Promise<Match[]> {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(matchesStatement, [scope.partner_id, account_id, phone, email, external_id]);
}

/** The same, which nobody deletes or erases before the transaction ends. */
export function leadsLikeForShare(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity): Promise<Match[]> {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(shareMatches, [scope.partner_id, account_id, phone, email, external_id]);
}

/** The same, whole and locked. */
export function leadsLikeForUpdate(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity) {
  const { phone, email, external_id } = identity;
  return tx.query<Lead & Match>(lockMatches, [scope.partner_id, account_id, phone, email, external_id]);
}

const ofContacts = statement("select l.id from leads l where l.partner_id = $1 and l.contact_id = any ($2)");

/** The leads that were converted to some contacts. */
export async function leadsOf(db: Queryable, scope: TenantScope, contact_ids: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(ofContacts, [scope.partner_id, contact_ids])).map(({ id }) => id);
}
