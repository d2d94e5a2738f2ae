import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { assignments, columnsOf, membersOf } from "../../../platform/db/columns.ts";
import { byIds, hiddenText, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { unlessTaken } from "../../../platform/record/tx.ts";
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

const CONTACT = `c.id, c.account_id, c.version, ${columnsOf("c", CHANGEABLE)}, ${CONTACT_JSON} as json`;

const insertStatement = statement(`
  with c as (
    insert into contacts as c (partner_id, id, account_id, created_at, updated_at, phone_shared, ${FIELDS.join(", ")})
    select $1, $2, $3, $4, $4, a.shared_phones, ${FIELDS.map((field, index) => `$${index + 5}::${FIELD_TYPES[field]}`).join(", ")}
    from clients a where a.partner_id = $1 and a.id = $3
    on conflict do nothing
    returning c.*)
  select ${CONTACT} from c`);

/**
 * Inserts a contact; null when its phone, e-mail or external id is in use, or where there is no such account. Waits for a concurrent insert
 * of the same identity.
 */
export async function insertContact(
  tx: Tx,
  scope: TenantScope,
  account_id: string,
  contact: NewContact,
): Promise<Contact | null> {
  const keys = [scope.partner_id, tx.newId("contact"), account_id, tx.now];
  const [inserted] = await tx.query<Contact>(insertStatement, [...keys, ...FIELDS.map((column) => contact[column])]);
  return inserted ?? null;
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
export function contactsForUpdate(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<Contact[]> {
  const { statement, given } = lockContacts(ids);
  return tx.query<Contact>(statement, [scope.partner_id, given, boundClients(scope)]);
}

const updateStatement = statement(`
  with c as (
    update contacts c set ${assignments(CHANGEABLE, 4)}, updated_at = $3, version = c.version + 1
    where c.partner_id = $1 and c.id = $2
    returning c.*)
  select ${CONTACT} from c`);

/** What the unique indexes of contacts depend on. */
const IDENTIFYING = ["phone", "email", "external_id", "phone_shared", "deleted_at"] as const;

/** Saves a locked contact; null when its phone, e-mail or external id is in use, which needs no savepoint if it has them already. */
export async function saveContact(tx: Tx, scope: TenantScope, contact: Contact, before?: Contact): Promise<Contact | null> {
  const values = [scope.partner_id, contact.id, tx.now, ...CHANGEABLE.map((column) => contact[column])];
  const save = () => tx.query<Contact>(updateStatement, values);
  const same_identity = IDENTIFYING.every((column) => contact[column] === before?.[column]);
  const rows = same_identity ? await save() : await unlessTaken(tx, save);
  if (rows === null) return null;
  if (rows[0] === undefined) throw new Error("the contact was not saved");
  return rows[0];
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
const lockMatches = matching(CONTACT, "for update");

/** The contacts of an account with the phone, the e-mail or the external id: at most three, unless phones are shared. */
export function contactsLike(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity): Promise<Match[]> {
  const { phone, email, external_id } = identity;
  return tx.query<Match>(matchesStatement, [scope.partner_id, account_id, phone, email, external_id]);
}

/** The same, whole and locked. */
export function contactsLikeForUpdate(tx: Queryable, scope: TenantScope, account_id: string, identity: Identity) {
  const { phone, email, external_id } = identity;
  return tx.query<Contact & Match>(lockMatches, [scope.partner_id, account_id, phone, email, external_id]);
}
