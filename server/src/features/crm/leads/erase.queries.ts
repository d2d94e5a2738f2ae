import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Hooks, Person } from "../../../platform/record/context.ts";
import { eraseImages } from "../records/index.ts";
import { eraseNotes } from "../timeline/index.ts";

const eraseRows = statement(`
  update leads set name = null, phone = null, email = null, company = null, title = null, country = null, disqualified_reason = null,
    source = jsonb_set('{}', '{kind}', source -> 'kind'), tags = '{}', notes = null, custom = '{}', owner_id = null, external_id = null,
    deleted_at = coalesce(deleted_at, $3), erased_at = $3, updated_at = $3, version = version + 1
  where partner_id = $1 and id = any ($2) and erased_at is null
  returning id, account_id, version`);

const peopleStatement = statement(`
  select account_id, name, phone, email, external_id from leads where partner_id = $1 and id = any ($2) and erased_at is null`);

export type Erased = { id: string; account_id: string; version: number };

/** Erases the personal data of some leads: ids, times and counts stay. The rows come last, so that an interrupted run is repeated. */
export async function eraseLeads(
  db: Queryable,
  hooks: Hooks,
  partner_id: string,
  ids: readonly string[],
  now: Date,
): Promise<Erased[]> {
  await hooks.eraseFailedRows(db, partner_id, await db.query<Person>(peopleStatement, [partner_id, ids]));
  await eraseNotes(db, partner_id, ids);
  await eraseImages(db, partner_id, ids);
  await hooks.erased(db, partner_id, ids, now);
  return db.query<Erased>(eraseRows, [partner_id, ids, now]);
}

/** All partners: the retention job; once a day, in batches. */
const dueStatement = statement(`
  select partner_id, array_agg(id) as ids from (
    (select partner_id, id from leads
    where deleted_at < least($1::timestamptz, now() - make_interval(days => 30)) and erased_at is null
    order by deleted_at limit $2)
    union
    (select l.partner_id, l.id from leads l join contacts c on c.partner_id = l.partner_id and c.id = l.contact_id
    where l.erased_at is null and c.erased_at is not null
    limit $2)) l
  group by partner_id`);

/**
 * Leads that were deleted before a time, and those whose contact is erased, by partner. The clock of the database is compared too, so
 * that a service whose clock runs ahead erases nothing.
 */
export function leadsToErase(db: Queryable, before: Date, limit: number): Promise<{ partner_id: string; ids: string[] }[]> {
  return db.query(dueStatement, [before, limit]);
}

const dealsStatement = statement(`
  -- all partners: the retention job, once a day
  select d.partner_id, d.id from leads l join deals d on d.partner_id = l.partner_id and d.lead_id = l.id
  where l.erased_at is not null and d.contact_id is null and (d.erased_at is null or d.erased_at < l.erased_at)
  limit $1`);

/** Deals of erased leads alone. One that has a contact is that contact's. */
export function dealsOfErased(db: Queryable, limit: number): Promise<{ partner_id: string; id: string }[]> {
  return db.query(dealsStatement, [limit]);
}
