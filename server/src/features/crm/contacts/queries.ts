import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import type { Identity, Match } from "../records/index.ts";
import { CHANNELS, type Contact, type ContactFields } from "./model.ts";

const CONSENT_JSON = CHANNELS.map((channel) => `'${channel}', coalesce(c.consent #>> '{${channel},status}', 'unknown')`).join(
  ", ",
);

/** A contact as the API shows it, from a row `c`. */
export const CONTACT_JSON = `(select row_to_json(x)::text from (select
    c.id, c.account_id, c.name, c.phone, c.email, c.company, c.tags, c.notes, c.custom, c.owner_id, c.external_id,
    json_build_object(${CONSENT_JSON}) as consent,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;

const CONTACT = `c.id, c.account_id, c.name, c.phone, c.email, c.company, c.tags, c.notes, c.custom, c.owner_id, c.external_id,
    c.consent, c.phone_shared, c.merged_into, c.deleted_at, c.erased_at, c.version, ${CONTACT_JSON} as json`;

const insertStatement = statement(`
  insert into contacts as c (partner_id, id, account_id, name, phone, email, company, tags, notes, custom, owner_id, external_id,
    created_at, updated_at, phone_shared)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)
  on conflict do nothing
  returning ${CONTACT}`);

export type NewContact = Omit<ContactFields, "consent">;

/** Adds a contact; null when its phone, e-mail or external id is another's. It waits for whoever is adding such a one just now. */
export async function insertContact(
  tx: Tx,
  scope: TenantScope,
  account: Pick<Account, "id" | "shared_phones">,
  contact: NewContact,
): Promise<Contact | null> {
  const { name, phone, email, company, tags, notes, custom, owner_id, external_id } = contact;
  const place = [scope.partner_id, tx.newId("contact"), account.id];
  const fields = [name, phone, email, company, tags, notes, custom, owner_id, external_id];
  const values = [...place, ...fields, tx.now, account.shared_phones];
  const [row] = await tx.query<Contact>(insertStatement, values);
  return row ?? null;
}

const VISIBLE = "c.partner_id = $1 and ($3::text[] is null or c.account_id = any ($3))";
const contactById = statement(`select ${CONTACT_JSON} as json, c.id, c.account_id, c.version from contacts c
  where ${VISIBLE} and c.id = $2 and c.deleted_at is null`);

/** One contact that the caller may see, as the API shows it. */
export async function contactOrNull(db: Queryable, scope: TenantScope, id: string) {
  type Shown = Pick<Contact, "json" | "id" | "account_id" | "version">;
  const [row] = await db.query<Shown>(contactById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

const lockContacts = statement(`
  select ${CONTACT} from contacts c where ${VISIBLE} and c.id = any ($2) order by c.id for update`);

/** Contacts that the caller may change, gone ones too, locked in one order, so that two calls do not wait for each other. */
export function contactsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
  return tx.query<Contact>(lockContacts, [scope.partner_id, ids, boundClients(scope)]);
}

const updateStatement = statement(`
  update contacts c set name = $3, phone = $4, email = $5, company = $6, tags = $7, notes = $8, custom = $9, owner_id = $10,
    external_id = $11, consent = $12, merged_into = $13, deleted_at = $14, erased_at = $15, updated_at = $16, phone_shared = $17, version = c.version + 1
  where c.partner_id = $1 and c.id = $2
  returning ${CONTACT}`);

/** Saves a contact that was locked before; null when its phone, e-mail or external id is another's. */
export async function saveContact(tx: Tx, scope: TenantScope, contact: Contact): Promise<Contact | null> {
  const { id, name, phone, email, company, tags, notes, custom, owner_id, external_id, consent } = contact;
  const { merged_into, deleted_at, erased_at, phone_shared } = contact;
  const fields = [name, phone, email, company, tags, notes, custom, owner_id, external_id, consent];
  const values = [scope.partner_id, id, ...fields, merged_into, deleted_at, erased_at, tx.now, phone_shared];
  const rows = await unlessTaken(tx, () => tx.query<Contact>(updateStatement, values));
  if (rows === null) return null;
  if (rows[0] === undefined) throw new Error("the contact was not saved");
  return rows[0];
}

/** Own and shared phones are asked for apart, because each kind has an index of its own. */
const matchesStatement = statement(`
  select c.id, array_remove(array[
    case when c.phone = $3 then 'phone' end,
    case when lower(c.email) = lower($4) then 'email' end,
    case when c.external_id = $5 then 'external_id' end], null) as matched_on
  from contacts c
  where c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null
    and (c.phone = $3 and not c.phone_shared or c.phone = $3 and c.phone_shared or lower(c.email) = lower($4) or c.external_id = $5)
  order by c.id`);

/** The contacts of an account that have the phone, the e-mail or the external id: three at most, unless phones are shared. */
export function contactsLike(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity): Promise<Match[]> {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(matchesStatement, [scope.partner_id, account_id, phone, email, external_id]);
}
