import type { TenantScope } from "../../../../kernel/principal.ts";
import { columnsOf } from "../../../../platform/db/columns.ts";
import { recordset } from "../../../../platform/db/recordset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { unlessTaken } from "../../../../platform/record/tx.ts";
import type { Account } from "../../../accounts/custom-fields/index.ts";
import { planWithValues } from "../../records/index.ts";
import { type ContactFields, FIELD_TYPES, FIELDS, type NewContact } from "../model.ts";

/** The columns of a contact that an import reads and writes. */
export type ImportedContact = NewContact & Pick<ContactFields, "consent"> & { id: string; version: number };

export type CandidateKeys = {
  ids: readonly string[];
  phones: readonly string[];
  emails: readonly string[];
  external_ids: readonly string[];
};

const IMPORTED = `c.id, c.version, c.consent, ${columnsOf("c", FIELDS)}`;

const OF_ACCOUNT = "c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null";

const candidatesBy = (condition: string) =>
  statement(`select ${IMPORTED} from contacts c where ${OF_ACCOUNT} and (${condition}) order by c.id for update`);
/** Unique and shared phones have a partial index each. */
const CANDIDATES = {
  ids: candidatesBy("c.id = any ($3)"),
  phones: candidatesBy("c.phone = any ($3) and not c.phone_shared or c.phone = any ($3) and c.phone_shared"),
  emails: candidatesBy("lower(c.email) = any ($3)"),
  external_ids: candidatesBy("c.external_id = any ($3)"),
};

/** Locks the contacts of an account that rows may match, without repeats. E-mail addresses must be in lower case. */
export async function candidatesForUpdate(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  keys: CandidateKeys,
): Promise<ImportedContact[]> {
  const names = (Object.keys(CANDIDATES) as (keyof CandidateKeys)[]).filter((name) => keys[name].length > 0);
  const [, ...found] = await Promise.all([
    planWithValues(tx),
    ...names.map((name) => tx.query<ImportedContact>(CANDIDATES[name], [scope.partner_id, account_id, keys[name]])),
  ]);
  return [...new Map(found.flat().map((contact) => [contact.id, contact])).values()];
}

const ROWS = recordset("$3", { id: "text", consent: "jsonb", ...FIELD_TYPES });

const insertStatement = statement(`
  insert into contacts (partner_id, account_id, id, consent, ${FIELDS.join(", ")}, created_at, updated_at, phone_shared)
  select $1, $2, v.id, v.consent, ${columnsOf("v", FIELDS)}, $4, $4, $5 from ${ROWS}
  on conflict do nothing
  returning id`);

/** Inserts contacts, except those whose phone, e-mail or external id is in use, and returns the inserted ids. */
export async function insertContacts(
  tx: Tx,
  scope: TenantScope,
  account: Pick<Account, "id" | "shared_phones">,
  contacts: readonly ImportedContact[],
): Promise<Set<string>> {
  const values = [scope.partner_id, account.id, JSON.stringify(contacts), tx.now, account.shared_phones];
  return new Set((await tx.query<{ id: string }>(insertStatement, values)).map(({ id }) => id));
}

/** The image of an import of an earlier version has no consents: they stay. */
const updateStatement = statement(`
  update contacts c set ${FIELDS.map((field) => `${field} = v.${field}`).join(", ")}, consent = coalesce(v.consent, c.consent), updated_at = $4, version = c.version + 1,
    phone_shared = (select a.shared_phones from clients a where a.partner_id = $1 and a.id = $2)
  from ${ROWS}
  where c.partner_id = $1 and c.account_id = $2 and c.id = v.id`);

/** Saves locked contacts; false, and nothing is saved, when an identity of one of them is in use. */
export async function saveContacts(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  contacts: readonly ImportedContact[],
): Promise<boolean> {
  const values = [scope.partner_id, account_id, JSON.stringify(contacts), tx.now];
  return (await unlessTaken(tx, () => tx.query(updateStatement, values))) !== null;
}

const deleteStatement = statement(`
  update contacts c set deleted_at = $3, updated_at = $3, version = c.version + 1
  from ${recordset("$2", { id: "text", version: "int" })}
  where c.partner_id = $1 and c.id = v.id and c.version = v.version and c.deleted_at is null
  returning c.id, c.account_id, c.version`);

/** Soft-deletes the contacts that still have their version. */
export function deleteUnchanged(tx: Tx, scope: TenantScope, records: readonly { id: string; version: number }[]) {
  const values = [scope.partner_id, JSON.stringify(records), tx.now];
  return tx.query<{ id: string; account_id: string; version: number }>(deleteStatement, values);
}
