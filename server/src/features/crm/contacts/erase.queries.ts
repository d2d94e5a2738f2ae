import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { eraseImages } from "../records/index.ts";
import { eraseNotes } from "../timeline/index.ts";

const dropImages = statement(`
  update contact_merges set into_before = null, from_before = null
  where partner_id = $1 and (into_id = any ($2) or from_id = any ($2))`);

const dropSources = statement("update contact_consents set source = null where partner_id = $1 and contact_id = any ($2)");

const eraseRows = statement(`
  update contacts set name = '', phone = null, email = null, company = null, tags = '{}', notes = null, custom = '{}',
    owner_id = null, external_id = null, consent = '{}', deleted_at = coalesce(deleted_at, $3), erased_at = $3, updated_at = $3,
    version = version + 1
  where partner_id = $1 and id = any ($2) and erased_at is null
  returning id, account_id, version`);

export type Erased = { id: string; account_id: string; version: number };

/** Takes everything personal of some contacts away for good: ids, times and counts stay. The rows come last, so that what is cut short is done again. */
export async function eraseContacts(db: Queryable, partner_id: string, ids: readonly string[], now: Date): Promise<Erased[]> {
  await db.query(dropImages, [partner_id, ids]);
  await db.query(dropSources, [partner_id, ids]);
  await eraseNotes(db, partner_id, ids);
  await eraseImages(db, partner_id, ids);
  return db.query<Erased>(eraseRows, [partner_id, ids, now]);
}

const oldStatement = statement(`
  select partner_id, array_agg(id) as ids from (
    select partner_id, id from contacts
    where deleted_at < least($1::timestamptz, now() - make_interval(days => 30)) and erased_at is null
    order by deleted_at limit $2) c
  group by partner_id`);

/** Contacts that were deleted before a time, by partner; the database's clock has a say, so that one that runs ahead erases nothing. */
export function contactsDeletedBefore(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ partner_id: string; ids: string[] }[]> {
  return db.query(oldStatement, [before, limit]);
}
