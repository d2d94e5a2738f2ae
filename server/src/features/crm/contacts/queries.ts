import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, columnsOf, insertValues, jsonOf, membersOf } from "../../../platform/db/columns.ts";
import { byIds, hiddenText, type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import type { Identity, Match } from "../records/index.ts";
import { CHANNELS, type Contact, FIELD_TYPES, FIELDS, type NewContact } from "./model.ts";
import { Contact as ContactSchema } from "./schema.ts";

const CONSENT_JSON = CHANNELS.map((channel) => `'${channel}', coalesce(c.consent #>> '{${channel},status}', 'unknown')`).join(
  ", ",
);

/** A contact as the API shows it, from a row `c`. */
export const CONTACT_JSON = `(select row_to_json(x)::text from (select ${membersOf(ContactSchema, {
  consent: `json_build_object(${CONSENT_JSON})`,
})}) x)`;

/** What a change can write. */
const CHANGEABLE = [...FIELDS, "consent", "phone_shared", "merged_into", "deleted_at", "erased_at"] as const;

const CONTACT = `c.id, c.account_id, c.version, c.created_at, c.updated_at, ${columnsOf("c", CHANGEABLE)}`;

type ContactRow = Omit<Contact, "json">;

const contactJson = jsonOf(ContactSchema);

/** A contact with its JSON for the API. */
function shownContact(row: ContactRow): Contact {
  const consent = Object.fromEntries(CHANNELS.map((channel) => [channel, row.consent[channel]?.status ?? "unknown"]));
  return { ...row, json: contactJson({ ...row, consent }) };
}

const insertStatement = statement(`
  with c as (
    insert into contacts as c (partner_id, id, account_id, created_at, updated_at, phone_shared, ${FIELDS.join(", ")})
    select $1, $2, $3, $4, $4, a.shared_phones, ${FIELDS.map((field, index) => `$${index + 5}::${FIELD_TYPES[field]}`).join(", ")}
    from clients a where a.partner_id = $1 and a.id = $3
    on conflict do nothing
    returning c.*)
  select c.phone_shared from c`);

const INSERTED = ["partner_id", "id", "account_id", "created_at", "updated_at", "phone_shared", ...FIELDS] as const;
const plainInsert = statement(`insert into contacts ${insertValues(INSERTED)}`);

/**
 * Inserts a contact; null when its phone, e-mail or external id is in use, or where there is no such account. Waits for a concurrent insert
 * of the same identity. Where the transaction assumes what the account says about phones, it also assumes that the identity is free: then it
 * waits for nothing, and a taken one fails the transaction.
 */
export async function insertContact(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  contact: NewContact,
  phone_shared?: boolean,
): Promise<Contact | null> {
  const id = tx.newId("contact");
  const none = { consent: {}, merged_into: null, deleted_at: null, erased_at: null };
  if (tx.assuming && phone_shared !== undefined) {
    const times = { created_at: tx.now, updated_at: tx.now };
    const row = { ...contact, ...times, partner_id: scope.partner_id, id, account_id, phone_shared };
    tx.send({ statement: plainInsert, values: INSERTED.map((column) => row[column]) });
    return shownContact({ ...contact, ...none, ...times, id, account_id, phone_shared, version: 1 });
  }
  const values = [scope.partner_id, id, account_id, tx.now, ...FIELDS.map((column) => contact[column])];
  const [inserted] = await tx.query<Pick<Contact, "phone_shared">>(insertStatement, values);
  if (inserted === undefined) return null;
  return shownContact({ ...contact, ...none, ...inserted, id, account_id, version: 1, created_at: tx.now, updated_at: tx.now });
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

const lockContacts = byIds(
  (wanted) => `select ${CONTACT} from contacts c where ${VISIBLE} and ${wanted} order by c.id for update`,
);

/** Contacts that the caller may change, deleted ones included, locked in the order of their ids to avoid deadlocks. */
export async function contactsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
  const { statement, given } = lockContacts(ids);
  return (await tx.query<ContactRow>(statement, [scope.partner_id, given, boundClients(scope)])).map(shownContact);
}

const updateStatement = statement(`
  update contacts set ${assignments(CHANGEABLE, 4)}, updated_at = $3, version = version + 1 where partner_id = $1 and id = $2`);

/** What the unique indexes of contacts depend on. */
const IDENTIFYING = ["phone", "email", "external_id", "phone_shared", "deleted_at"] as const;

/**
 * Saves a locked contact; null when its phone, e-mail or external id is in use. If it has them already, nothing can keep it from being
 * saved, so nobody waits for it.
 */
export async function saveContact(tx: Tx, scope: TenantScope, contact: Contact, before?: Contact): Promise<Contact | null> {
  const values = [scope.partner_id, contact.id, tx.now, ...CHANGEABLE.map((column) => contact[column])];
  const same_identity = IDENTIFYING.every((column) => contact[column] === before?.[column]);
  if (same_identity) tx.send({ statement: updateStatement, values });
  else if ((await unlessTaken(tx, () => tx.query(updateStatement, values))) === null) return null;
  return shownContact({ ...contact, version: contact.version + 1, updated_at: tx.now });
}

/** Unique and shared phones are separate conditions, because each has its own partial index. */
const matching = (columns: string, lock = "") =>
  statement(`
  select ${columns}, array_remove(array[
    case when c.phone = $3 then 'phone' end,
    case when lower(c.email) = lower($4) then 'email' end,
    case when c.external_id = $5 then 'external_id' end], null) as matched_on
  from contacts c
  where c.partner_id = $1 and c.account_id = $2 and c.deleted_at is null
    and (c.phone = ${hiddenText("$3")} and not c.phone_shared or c.phone = ${hiddenText("$3")} and c.phone_shared
      or lower(c.email) = lower(${hiddenText("$4")}) or c.external_id = ${hiddenText("$5")})
  order by c.id ${lock}`);
const matchesStatement = matching("c.id");
const shareMatches = matching("c.id", "for share");
const lockMatches = matching(CONTACT, "for update");

/** The contacts of an account with the phone, the e-mail or the external id: at most three, unless phones are shared. */
export function contactsLike(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity): Promise<Match[]> {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(matchesStatement, [scope.partner_id, account_id, phone, email, external_id]);
}

/** The same, which nobody deletes or erases before the transaction ends. */
export function contactsLikeForShare(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity) {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(shareMatches, [scope.partner_id, account_id, phone, email, external_id]);
}

/** The same, whole and locked. */
export async function contactsLikeForUpdate(
  tx: Queryable,
  scope: TenantScope,
  account_id: string,
  { phone, email, external_id }: Identity,
): Promise<(Contact & Match)[]> {
  const values = [scope.partner_id, account_id, phone, email, external_id];
  const rows = await tx.query<ContactRow & Match>(lockMatches, values);
  return rows.map((row) => ({ ...shownContact(row), matched_on: row.matched_on }));
}
