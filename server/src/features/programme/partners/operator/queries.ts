import { listIdentity } from "../../../../kernel/page.ts";
import { anyOf, byCreation, keysetPage, type Place } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { Partner } from "./model.ts";
import type { PartnerListQuery } from "./schema.ts";

const PARTNER_JSON = `(select row_to_json(x)::text from (select c.id, c.parent_id, c.company, c.grade, c.status,
    wire_time(c.suspended_at) as suspended_at, c.suspension_reason, c.api_access, c.branding, c.currency,
    (select h.id from clients h where h.partner_id = c.id and h.house) as house_account_id,
    (select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
     from users u where u.partner_id = c.id and u.role = 'owner' order by u.id limit 1) as owner,
    wire_time(c.created_at) as created_at, wire_time(c.updated_at) as updated_at, c.version) x)`;
const COLUMNS = `c.id, c.parent_id, c.company, c.grade, c.status, c.suspension_reason, c.api_access, c.version, ${PARTNER_JSON} as json`;

const partnerById = statement(`select ${COLUMNS} from partners c where c.id = $1`);
const partnerForUpdate = statement(`select ${COLUMNS} from partners c where c.id = $1 for update of c`);

export async function partnerOrNull(db: Queryable, id: string): Promise<Partner | null> {
  return (await db.query<Partner>(partnerById, [id]))[0] ?? null;
}

export async function partnerForUpdateOrNull(tx: Queryable, id: string): Promise<Partner | null> {
  return (await tx.query<Partner>(partnerForUpdate, [id]))[0] ?? null;
}

export function partnersPage(db: Queryable, query: PartnerListQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("partners", filter),
      table: "partners",
      json: PARTNER_JSON,
      sort: byCreation(true),
      conditions: (place) => conditionsOf(filter, place),
    },
    query,
  );
}

/** Names are compared as bytes between two bounds, because `like` takes no index under a prepared statement. */
function conditionsOf({ status, grade, parent_id, api_access, q }: PartnerListQuery, place: Place): string[] {
  const conditions: string[] = [];
  if (status !== undefined) conditions.push(anyOf("c.status", status, place));
  if (grade !== undefined) conditions.push(anyOf("c.grade", grade, place));
  if (parent_id !== undefined) conditions.push(`c.parent_id = ${place(parent_id)}`);
  if (api_access !== undefined) conditions.push(`c.api_access = ${place(api_access)}`);
  if (q !== undefined) {
    const prefix = place(q);
    conditions.push(`lower(c.company) collate "C" >= lower(${prefix}::text)`);
    conditions.push(`lower(c.company) collate "C" < lower(${prefix}::text) || chr(1114111)`);
  }
  return conditions;
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
  update partners c set company = $2, parent_id = $3, grade = $4, api_access = $5, updated_at = $6, version = c.version + 1
  where c.id = $1
  returning ${COLUMNS}`);

export type PartnerFields = Pick<Partner, "id" | "company" | "parent_id" | "grade" | "api_access">;

export async function savePartner(tx: Tx, partner: PartnerFields): Promise<Partner> {
  const { id, company, parent_id, grade, api_access } = partner;
  return theOne(await tx.query<Partner>(saveStatement, [id, company, parent_id, grade, api_access, tx.now]));
}

const saveStatusStatement = statement(`
  update partners c set status = $2, suspended_at = case when $2 = 'suspended' then $4::timestamptz end,
    suspension_reason = $3, updated_at = $4, version = c.version + 1
  where c.id = $1
  returning ${COLUMNS}`);

export async function savePartnerStatus(tx: Tx, id: string, status: Partner["status"], reason: string | null): Promise<Partner> {
  return theOne(await tx.query<Partner>(saveStatusStatement, [id, status, reason, tx.now]));
}

function theOne([row]: Partner[]): Partner {
  if (row === undefined) throw new Error("the partner was not saved");
  return row;
}
