import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { MERGED } from "../../crm/contacts/index.ts";

/** The contact that a lead was converted to; any other person itself. */
const convertedOf = (person_id: string) =>
  `coalesce(case when ${person_id} like 'lead\\_%' then (select l.contact_id from leads l where l.partner_id = $1 and l.id = ${person_id}) end, ${person_id})`;

/** Something of the contact that a person is: of `k1`, unless that was merged. Most were not, and joins would cost as much for them. */
const ofContact = (person_id: string, plain: string, merged: string) => `(
    select case when k1.merged_into is null then ${plain} else ${merged} end
    from contacts k1 where k1.partner_id = $1 and k1.id = ${convertedOf(person_id)})`;

/**
 * The contact that a person of the partner $1 is now: the one that a lead was converted to, and the one that it was merged into. A filter
 * by contact follows all merges.
 */
export const contactOf = (person_id: string) => ofContact(person_id, "k1.id", MERGED);

/** The lead of a person, whether it was converted or not. */
export const leadOf = (person_id: string) => `case when ${person_id} like 'lead\\_%' then ${person_id} end`;

/** The name of a person: that of its contact, else of the lead. It is read when it is shown, so that an erasure is complete. */
export const nameOf = (person_id: string) => `coalesce(
    ${ofContact(person_id, "k1.name", `(select n.name from contacts n where n.partner_id = $1 and n.id = ${MERGED})`)},
    (select n.name from leads n where n.partner_id = $1 and n.id = ${person_id}))`;

/** What messages to a person depend on: those of its contact, or of the lead while there is none. */
export type PersonRow = {
  contact_id: string | null;
  lead_id: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  company: string | null;
  external_id: string | null;
  custom: Record<string, unknown>;
  consent: Record<string, { status: string; at: string }>;
  account_id: string;
};

/** What is read of a person, from its contact `k` and its lead `l`. */
export const PERSON = `k.id as contact_id, l.id as lead_id, coalesce(k.account_id, l.account_id) as account_id,
    coalesce(k.name, l.name) as name, coalesce(k.phone, l.phone) as phone, coalesce(k.email, l.email) as email,
    coalesce(k.company, l.company) as company, coalesce(k.external_id, l.external_id) as external_id,
    coalesce(k.custom, '{}') as custom, coalesce(k.consent, '{}') as consent`;

/** The contact `k` and the lead `l` that a person is, while they are not deleted. */
export const joinPerson = (person_id: string) => `
  cross join lateral (select ${person_id} as id, ${contactOf(person_id)} as contact_id) p
  left join contacts k on k.partner_id = $1 and k.id = p.contact_id and k.deleted_at is null
  left join leads l on l.partner_id = $1 and l.id = p.id and l.deleted_at is null`;

/** The same of most people: the contact that was not merged, the lead that was not converted. For others both are null. */
export const joinPlainPerson = (person_id: string) => `
  left join contacts k on k.partner_id = $1 and k.id = ${person_id} and k.merged_into is null and k.deleted_at is null
  left join leads l on l.partner_id = $1 and l.id = ${person_id} and l.contact_id is null and l.deleted_at is null`;

/** Whether a person was not deleted. */
export const personLives = (person_id: string) => `(
    exists (select from contacts k where k.partner_id = $1 and k.id = ${contactOf(person_id)} and k.deleted_at is null)
    or exists (select from leads l where l.partner_id = $1 and l.id = ${person_id} and l.deleted_at is null))`;

/** Whether a person is a contact or a lead that was not deleted. One that was merged or converted may live as another. */
export const personLivesPlainly = (person_id: string) => `(
    exists (select from contacts k where k.partner_id = $1 and k.id = ${person_id} and k.merged_into is null and k.deleted_at is null)
    or exists (select from leads l where l.partner_id = $1 and l.id = ${person_id} and l.deleted_at is null))`;

const personStatement = statement(`
  select ${PERSON} from (select) one ${joinPerson("$2::text")}
  where k.id is not null or l.id is not null`);

/** A person as it is now; null where it was deleted. */
export async function personOrNull(
  db: Queryable,
  { partner_id }: Pick<TenantScope, "partner_id">,
  person_id: string,
): Promise<PersonRow | null> {
  const [row] = await db.query<PersonRow>(personStatement, [partner_id, person_id]);
  return row ?? null;
}

const shareContact = statement(`
  select k.id from contacts k where k.partner_id = $1 and k.id = ${contactOf("$2::text")} and k.deleted_at is null for share`);
const shareLead = statement("select l.id from leads l where l.partner_id = $1 and l.id = $2 and l.deleted_at is null for share");

/** The same of somebody who is not deleted or erased before the transaction ends: for what is to hold its id or its address. */
export async function personForShareOrNull(
  tx: Queryable,
  scope: Pick<TenantScope, "partner_id">,
  person_id: string,
): Promise<PersonRow | null> {
  const values = [scope.partner_id, person_id];
  const [, , person] = await Promise.all([
    tx.query(shareContact, values),
    tx.query(shareLead, values),
    personOrNull(tx, scope, person_id),
  ]);
  return person;
}

const byAddress = statement(`
  (select k.id, 1 as rank from contacts k
    where k.partner_id = $1 and k.account_id = $2 and k.deleted_at is null and (k.phone = $3 or lower(k.email) = lower($4))
    order by k.id limit 1)
  union all
  (select l.id, 2 as rank from leads l
    where l.partner_id = $1 and l.account_id = $2 and l.deleted_at is null and l.converted_at is null
      and (l.phone = $3 or lower(l.email) = lower($4))
    order by l.id limit 1)
  order by rank limit 1`);

/** The oldest contact of an account with a phone or an e-mail address, else the oldest lead. It stays until the transaction ends. */
export async function personByAddressOrNull(
  tx: Queryable,
  { partner_id }: TenantScope,
  account_id: string,
  { phone, email }: { phone: string | null; email: string | null },
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(byAddress, [partner_id, account_id, phone, email]);
  if (row === undefined) return null;
  return (await personForShareOrNull(tx, { partner_id }, row.id)) === null ? null : row.id;
}
