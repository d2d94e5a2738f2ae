import { composedStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Partner } from "./model.ts";

const COLUMNS = `p.id, p.parent_id, p.company, p.grade, p.status, p.suspension_reason, p.api_access, p.version,
    (select row_to_json(x)::text from (select p.id, p.parent_id, p.company, p.grade, p.status,
      wire_time(p.suspended_at) as suspended_at, p.suspension_reason, p.api_access, p.branding, p.currency,
      (select c.id from clients c where c.partner_id = p.id and c.house) as house_account_id,
      (select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
       from users u where u.partner_id = p.id and u.role = 'owner' order by u.id limit 1) as owner,
      wire_time(p.created_at) as created_at, wire_time(p.updated_at) as updated_at, p.version) x) as json`;

const partnerById = statement(`select ${COLUMNS} from partners p where p.id = $1`);
const partnerForUpdate = statement(`select ${COLUMNS} from partners p where p.id = $1 for update of p`);

export async function partnerOrNull(db: Queryable, id: string): Promise<Partner | null> {
  return (await db.query<Partner>(partnerById, [id]))[0] ?? null;
}

export async function partnerForUpdateOrNull(tx: Queryable, id: string): Promise<Partner | null> {
  return (await tx.query<Partner>(partnerForUpdate, [id]))[0] ?? null;
}

export type PartnerFilter = {
  status?: readonly string[] | undefined;
  grade?: readonly string[] | undefined;
  parent_id?: string | undefined;
  api_access?: boolean | undefined;
  q?: string | undefined;
  after: string | null;
  limit: number;
};

/**
 * A page of partners, newest first, and one more. One value is compared with `=`, which an index by (value, id) answers in
 * order. Names are compared as bytes between two bounds, because `like` takes no index under a prepared statement.
 */
export function partnersPage(db: Queryable, filter: PartnerFilter) {
  const values: unknown[] = [filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  for (const name of ["status", "grade"] as const) {
    const wanted = filter[name];
    if (wanted !== undefined)
      conditions.push(wanted.length === 1 ? `p.${name} = ${place(wanted[0])}` : `p.${name} = any (${place(wanted)})`);
  }
  if (filter.parent_id !== undefined) conditions.push(`p.parent_id = ${place(filter.parent_id)}`);
  if (filter.api_access !== undefined) conditions.push(`p.api_access = ${place(filter.api_access)}`);
  if (filter.q !== undefined) {
    const prefix = place(filter.q);
    conditions.push(`lower(p.company) collate "C" >= lower(${prefix}::text)`);
    conditions.push(`lower(p.company) collate "C" < lower(${prefix}::text) || chr(1114111)`);
  }
  if (filter.after !== null) conditions.push(`p.id < ${place(filter.after)}`);
  return db.query<{ id: string; json: string }>(
    composedStatement(`
  select ${COLUMNS} from partners p
  where ${conditions.join(" and ") || "true"}
  order by p.id desc limit $1`),
    values,
  );
}

/** Looks at every name, for people who look for one: an exact match stands first. */
const namedStatement = statement(`
  select p.id, p.company from partners p
  where position(lower($1) in lower(p.company)) > 0
  order by lower(p.company) = lower($1) desc, p.company, p.id limit $2`);

/** Partners with a text in their company's name, whatever the case. */
export function partnersNamed(db: Queryable, text: string, limit: number) {
  return db.query<{ id: string; company: string }>(namedStatement, [text, limit]);
}

/** Changes of the tree are made one after the other: two that are each fine could make a circle together. */
const lockTreeStatement = statement("select pg_advisory_xact_lock(7214003)");

export async function lockTree(tx: Queryable): Promise<void> {
  await tx.query(lockTreeStatement);
}

/** Those above a partner, nearest first. Bounded, so that a circle could not hold it. */
const uplineStatement = statement(`
  with recursive upline as (
    select p.parent_id as id, 1 as level from partners p where p.id = $1
    union all
    select p.parent_id, u.level + 1 from upline u join partners p on p.id = u.id where u.level < 10
  )
  select id from upline where id is not null order by level`);

export async function uplineOf(tx: Queryable, id: string): Promise<string[]> {
  return (await tx.query<{ id: string }>(uplineStatement, [id])).map((row) => row.id);
}

const levelsBelowStatement = statement(`
  with recursive below as (
    select $1::text collate "C" as id, 0 as level
    union all
    select p.id, b.level + 1 from below b join partners p on p.parent_id = b.id where b.level < 10
  )
  select max(level) as levels from below`);

export async function levelsBelow(tx: Queryable, id: string): Promise<number> {
  return (await tx.query<{ levels: number }>(levelsBelowStatement, [id]))[0]?.levels ?? 0;
}

const saveStatement = statement(`
  update partners p set company = $2, parent_id = $3, grade = $4, api_access = $5, updated_at = $6, version = p.version + 1
  where p.id = $1
  returning ${COLUMNS}`);

export type PartnerFields = Pick<Partner, "id" | "company" | "parent_id" | "grade" | "api_access">;

export async function savePartner(tx: Tx, partner: PartnerFields): Promise<Partner> {
  const { id, company, parent_id, grade, api_access } = partner;
  return theOne(await tx.query<Partner>(saveStatement, [id, company, parent_id, grade, api_access, tx.now]));
}

const saveStatusStatement = statement(`
  update partners p set status = $2, suspended_at = case when $2 = 'suspended' then $4::timestamptz end,
    suspension_reason = $3, updated_at = $4, version = p.version + 1
  where p.id = $1
  returning ${COLUMNS}`);

export async function savePartnerStatus(tx: Tx, id: string, status: Partner["status"], reason: string | null): Promise<Partner> {
  return theOne(await tx.query<Partner>(saveStatusStatement, [id, status, reason, tx.now]));
}

function theOne([row]: Partner[]): Partner {
  if (row === undefined) throw new Error("the partner was not saved");
  return row;
}
