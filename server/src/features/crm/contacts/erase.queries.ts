import { assignments } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Hooks, Person } from "../../../platform/record/context.ts";
import { eraseImages } from "../records/index.ts";
import { eraseNotes } from "../timeline/index.ts";
import { EMPTY, FIELDS } from "./model.ts";

const clearImages = statement(`
  update contact_merges set into_before = null, from_before = null
  where partner_id = $1 and (into_id = any ($2) or from_id = any ($2))`);

const clearSources = statement("update contact_consents set source = null where partner_id = $1 and contact_id = any ($2)");

const ERASED = { ...EMPTY, consent: {} };
const COLUMNS = [...FIELDS, "consent"] as const;

const eraseRows = statement(`
  update contacts set ${assignments(COLUMNS, 4)}, deleted_at = coalesce(deleted_at, $3), erased_at = $3, updated_at = $3, version = version + 1
  where partner_id = $1 and id = any ($2) and erased_at is null
  returning id, account_id, version`);

const peopleStatement = statement(`
  select account_id, name, phone, email, external_id from contacts where partner_id = $1 and id = any ($2) and erased_at is null`);

export type Erased = { id: string; account_id: string; version: number };

/** Erases everything personal of some contacts; ids and timestamps stay. The rows come last, so that an interrupted run is repeated. */
export async function eraseContacts(
  db: Queryable,
  hooks: Hooks,
  partner_id: string,
  ids: readonly string[],
  now: Date,
): Promise<Erased[]> {
  await hooks.eraseFailedRows(db, partner_id, await db.query<Person>(peopleStatement, [partner_id, ids]));
  await db.query(clearImages, [partner_id, ids]);
  await db.query(clearSources, [partner_id, ids]);
  await eraseNotes(db, partner_id, ids);
  await eraseImages(db, partner_id, ids);
  await hooks.erased(db, partner_id, ids, now);
  return db.query<Erased>(eraseRows, [partner_id, ids, now, ...COLUMNS.map((column) => ERASED[column])]);
}

const oldStatement = statement(`
  -- all partners: retention, once a day.
  select partner_id, array_agg(id) as ids from (
    select partner_id, id from contacts
    where deleted_at < least($1::timestamptz, now() - make_interval(days => 30)) and erased_at is null and merged_into is null
    order by deleted_at limit $2) c
  group by partner_id`);

/**
 * Contacts that were deleted before a time, by partner. One that was merged into another is erased with that one: its notes, consents,
 * conversations and deals are the other's now. The database's clock is checked too: a service clock that runs ahead erases nothing.
 */
export function contactsDeletedBefore(
  db: Queryable,
  before: Date,
  limit: number,
): Promise<{ partner_id: string; ids: string[] }[]> {
  return db.query(oldStatement, [before, limit]);
}

const oldMerges = statement(`
  -- all partners: retention, once a day.
  select partner_id, array_agg(id) as ids from (
    select partner_id, id from contact_merges
    where created_at < least($1::timestamptz, now() - make_interval(days => 30)) and (into_before is not null or from_before is not null)
    limit $2) m
  group by partner_id`);
const forgetMerges = statement(
  "update contact_merges set into_before = null, from_before = null where partner_id = $1 and id = any ($2)",
);

/** Deletes what merges before a time would be undone by. Returns how many there were, at most `limit`. */
export async function forgetMergesBefore(db: Queryable, before: Date, limit: number): Promise<number> {
  const due = await db.query<{ partner_id: string; ids: string[] }>(oldMerges, [before, limit]);
  for (const { partner_id, ids } of due) await db.query(forgetMerges, [partner_id, ids]);
  return due.reduce((sum, { ids }) => sum + ids.length, 0);
}
