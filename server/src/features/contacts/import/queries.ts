import type { TenantScope } from "../../../kernel/principal.ts";
import { unlessTaken } from "../../../platform/db/savepoint.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/context.ts";
import type { ContactFields } from "../model.ts";

/** A contact as an import meets it. */
export type ImportedContact = Omit<ContactFields, "consent"> & { id: string; version: number };

export type Wanted = {
  ids: readonly string[];
  phones: readonly string[];
  emails: readonly string[];
  external_ids: readonly string[];
};

const IMPORTED = `c.id, c.name, c.phone, c.email, c.company, c.tags, c.notes, c.custom, c.owner_id, c.external_id, c.version`;

const OF_ACCOUNT = "c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null";

/** Each identity by its own index: together in one condition, they were looked for in every row of the account. */
const wantedStatement = statement(`
  select ${IMPORTED} from contacts c
  where ${OF_ACCOUNT} and c.id in (
    select c.id from unnest($3::text[]) v join contacts c on ${OF_ACCOUNT} and c.id = v
    union select c.id from unnest($4::text[]) v join contacts c on ${OF_ACCOUNT} and c.phone = v
    union select c.id from unnest($5::text[]) v join contacts c on ${OF_ACCOUNT} and lower(c.email) = lower(v)
    union select c.id from unnest($6::text[]) v join contacts c on ${OF_ACCOUNT} and c.external_id = v)
  order by c.id for update`);

/** The contacts of an account that some rows may be about, locked in one order. */
export function contactsWanted(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  { ids, phones, emails, external_ids }: Wanted,
): Promise<ImportedContact[]> {
  return tx.query<ImportedContact>(wantedStatement, [scope.partner_id, account_id, ids, phones, emails, external_ids]);
}

const COLUMNS = "name, phone, email, company, tags, notes, custom, owner_id, external_id";
const GIVEN = `json_to_recordset($3::json) as v (id text, name text, phone text, email text, company text, tags text[], notes text,
    custom jsonb, owner_id text, external_id text)`;

const insertStatement = statement(`
  insert into contacts (partner_id, account_id, id, ${COLUMNS}, created_at, updated_at)
  select $1, $2, v.id, ${COLUMNS.replaceAll(/\w+/g, "v.$&")}, $4, $4 from ${GIVEN}
  on conflict do nothing
  returning id`);

/** Adds contacts, and says which: of one whose phone, e-mail or external id is another's, nothing is written. */
export async function insertContacts(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  contacts: readonly ImportedContact[],
): Promise<Set<string>> {
  const values = [scope.partner_id, account_id, JSON.stringify(contacts), tx.now];
  return new Set((await tx.query<{ id: string }>(insertStatement, values)).map(({ id }) => id));
}

const updateStatement = statement(`
  update contacts c set ${COLUMNS.replaceAll(/\w+/g, "$& = v.$&")}, updated_at = $4, version = c.version + 1
  from ${GIVEN}
  where c.partner_id = $1 and c.account_id = $2 and c.id = v.id`);

/** Saves contacts that were locked before; false, and nothing written, when an identity of one of them is another's. */
export async function saveContacts(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  contacts: readonly ImportedContact[],
): Promise<boolean> {
  const values = [scope.partner_id, account_id, JSON.stringify(contacts), tx.now];
  return (await unlessTaken(tx, () => tx.query(updateStatement, values))) !== null;
}

const removeStatement = statement(`
  update contacts c set deleted_at = $3, updated_at = $3, version = c.version + 1
  from json_to_recordset($2::json) as v (id text, version int)
  where c.partner_id = $1 and c.id = v.id and c.version = v.version and c.deleted_at is null
  returning c.id, c.account_id, c.version`);

/** Deletes those contacts that are still at their version. */
export function removeUntouched(tx: Tx, scope: TenantScope, records: readonly { id: string; version: number }[]) {
  const values = [scope.partner_id, JSON.stringify(records), tx.now];
  return tx.query<{ id: string; account_id: string; version: number }>(removeStatement, values);
}
