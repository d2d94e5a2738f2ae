import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import type { Identity, Match } from "../records/index.ts";
import { type Lead, type LeadFields, SOURCE_FIELDS, UTM_FIELDS } from "./model.ts";

const SOURCE_JSON = `json_build_object('kind', c.source ->> 'kind', ${SOURCE_FIELDS.map((name) => `'${name}', c.source ->> '${name}'`).join(", ")},
    'utm', json_build_object(${UTM_FIELDS.map((name) => `'${name}', c.source #>> '{utm,${name}}'`).join(", ")}))`;

/** A lead as the API shows it, from a row `c`. */
export const LEAD_JSON = `(select row_to_json(x)::text from (select
    c.id, c.account_id, c.name, c.phone, c.email, c.company, c.title, c.country, c.status, c.disqualified_reason, c.owner_id, c.score,
    ${SOURCE_JSON} as source, c.tags, c.notes, c.custom, c.external_id,
    case when c.converted_at is not null then json_build_object('at', wire_time(c.converted_at), 'contact_id', c.contact_id,
      'deal_id', c.deal_id, 'by', c.converted_by) end as converted,
    wire_time(c.last_activity_at) as last_activity_at, wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at,
    c.version) x)`;

const LEAD = `c.id, c.account_id, c.name, c.phone, c.email, c.company, c.title, c.country, c.status, c.disqualified_reason, c.source,
    c.tags, c.notes, c.custom, c.owner_id, c.external_id, c.score, c.activity_count, c.last_activity_at, c.converted_at, c.converted_by,
    c.contact_id, c.deal_id, c.conversion, c.deleted_at, c.erased_at, c.created_at, c.version, ${LEAD_JSON} as json`;

const fieldValues = (lead: LeadFields & { score: number }) => [
  ...[lead.name, lead.phone, lead.email, lead.company, lead.title, lead.country, lead.status, lead.disqualified_reason],
  ...[lead.source, lead.tags, lead.notes, lead.custom, lead.owner_id, lead.external_id, lead.score],
];

const insertStatement = statement(`
  insert into leads as c (partner_id, id, account_id, name, phone, email, company, title, country, status, disqualified_reason, source,
    tags, notes, custom, owner_id, external_id, score, last_activity_at, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19, $19)
  on conflict do nothing
  returning ${LEAD}`);

/** Adds a lead; null when its phone, e-mail or external id is another's. It waits for whoever is adding such a one just now. */
export async function insertLead(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  lead: LeadFields & { score: number },
): Promise<Lead | null> {
  const values = [scope.partner_id, tx.newId("lead"), account_id, ...fieldValues(lead), tx.now];
  const [row] = await tx.query<Lead>(insertStatement, values);
  return row ?? null;
}

const VISIBLE = "c.partner_id = $1 and ($3::text[] is null or c.account_id = any ($3))";
const leadById = statement(`select ${LEAD} from leads c where ${VISIBLE} and c.id = $2 and c.deleted_at is null`);

/** One lead that the caller may see. */
export async function leadOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Lead | null> {
  const [row] = await db.query<Lead>(leadById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const lockLeads = statement(`select ${LEAD} from leads c where ${VISIBLE} and c.id = any ($2) order by c.id for update`);

/** Leads that the caller may change, gone ones too, locked in one order, so that two calls do not wait for each other. */
export function leadsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Lead[]> {
  return tx.query<Lead>(lockLeads, [scope.partner_id, ids, boundClients(scope)]);
}

const updateStatement = statement(`
  update leads c set name = $3, phone = $4, email = $5, company = $6, title = $7, country = $8, status = $9, disqualified_reason = $10,
    source = $11, tags = $12, notes = $13, custom = $14, owner_id = $15, external_id = $16, score = $17, activity_count = $18,
    last_activity_at = $19, converted_at = $20, converted_by = $21, contact_id = $22, deal_id = $23, conversion = $24, deleted_at = $25,
    updated_at = $26, version = c.version + 1
  where c.partner_id = $1 and c.id = $2
  returning ${LEAD}`);

/** Saves a lead that was locked before; null when its phone, e-mail or external id is another's. */
export async function saveLead(tx: Tx, scope: TenantScope, lead: Lead): Promise<Lead | null> {
  const { activity_count, last_activity_at, converted_at, converted_by, contact_id, deal_id, conversion, deleted_at } = lead;
  const course = [activity_count, last_activity_at, converted_at, converted_by, contact_id, deal_id, conversion, deleted_at];
  const values = [scope.partner_id, lead.id, ...fieldValues(lead), ...course, tx.now];
  const rows = await unlessTaken(tx, () => tx.query<Lead>(updateStatement, values));
  if (rows === null) return null;
  if (rows[0] === undefined) throw new Error("the lead was not saved");
  return rows[0];
}

const matchesStatement = statement(`
  select c.id, array_remove(array[
    case when c.converted_at is null and c.phone = $3 then 'phone' end,
    case when c.converted_at is null and lower(c.email) = lower($4) then 'email' end,
    case when c.external_id = $5 then 'external_id' end], null) as matched_on
  from leads c
  where c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null
    and ((c.converted_at is null and c.phone = $3) or (c.converted_at is null and lower(c.email) = lower($4)) or c.external_id = $5)
  order by c.id`);

/** The leads of an account that have the phone or the e-mail and are not converted, or have the external id: three at most. */
export function leadsLike(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity): Promise<Match[]> {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(matchesStatement, [scope.partner_id, account_id, phone, email, external_id]);
}

const ofContacts = statement("select l.id from leads l where l.partner_id = $1 and l.contact_id = any ($2)");

/** The leads that became one of some contacts. */
export async function leadsOf(db: Queryable, scope: TenantScope, contact_ids: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(ofContacts, [scope.partner_id, contact_ids])).map(({ id }) => id);
}
