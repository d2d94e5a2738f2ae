import { listIdentity } from "../../../../kernel/page.ts";
import { assignments, parsedRow, rowJson, valuesOf } from "../../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage, type Place } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import { PARTNER_FIELDS, type Partner, type PartnerFields } from "./model.ts";
import { type PartnerListQuery, Partner as PartnerSchema } from "./schema.ts";

/** A partner as the operator sees it, from a row `c`. */
const PARTNER_JSON = rowJson(PartnerSchema, {
  owner: `(select json_build_object('id', u.id, 'name', u.name, 'email', u.email)
    from users u where u.partner_id = c.id and u.role = 'owner' order by u.id limit 1)`,
});

const partnerById = statement(`select ${PARTNER_JSON} as json from partners c where c.id = $1`);
/** Not the key: whoever inserts a row that names the partner does not wait, nor is waited for. */
const lockPartner = statement(`select ${PARTNER_JSON} as json from partners c where c.id = $1 for no key update of c`);

export async function partnerOrNull(db: Queryable, id: string): Promise<Partner | null> {
  return parsedRow<Partner>(await db.query(partnerById, [id]));
}

export async function partnerForUpdateOrNull(tx: Queryable, id: string): Promise<Partner | null> {
  return parsedRow<Partner>(await tx.query(lockPartner, [id]));
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

/** Names are compared as bytes between two bounds, because `like` uses no index in a prepared statement. */
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

/** A sequential scan over all names, for people at the command line: an exact match comes first. */
const namedStatement = statement(`
  select p.id, p.company from partners p
  where position(lower($1) in lower(p.company)) > 0
  order by lower(p.company) = lower($1) desc, p.company, p.id limit $2`);

/** Partners with a text in their company name, ignoring case. */
export function partnersNamed(db: Queryable, text: string, limit: number) {
  return db.query<{ id: string; company: string }>(namedStatement, [text, limit]);
}

/** Serialises changes of the tree: two that are valid each by itself could form a cycle together. */
const lockTreeStatement = statement("select pg_advisory_xact_lock(7214003)");

export async function lockTree(tx: Queryable): Promise<void> {
  await tx.query(lockTreeStatement);
}

/** More levels than any tree has, so that a cycle in the data ends the walk. */
const LEVELS_BOUND = 10;

const parentStatement = statement("select p.parent_id from partners p where p.id = $1");

/** The ancestors of a partner, nearest first. */
export async function uplineOf(tx: Queryable, id: string): Promise<string[]> {
  const upline: string[] = [];
  for (let next: string | null = id; next !== null && upline.length < LEVELS_BOUND; ) {
    const [row]: { parent_id: string | null }[] = await tx.query(parentStatement, [next]);
    next = row?.parent_id ?? null;
    if (next !== null) upline.push(next);
  }
  return upline;
}

const childrenStatement = statement("select p.id from partners p where p.parent_id = any ($1)");

/** How many levels of partners are below one. */
export async function levelsBelow(tx: Queryable, id: string): Promise<number> {
  let ids = [id];
  for (let level = 0; ; level += 1) {
    const children = await tx.query<{ id: string }>(childrenStatement, [ids]);
    if (children.length === 0 || level === LEVELS_BOUND) return level;
    ids = children.map((child) => child.id);
  }
}

const saveStatement = statement(`
  with c as (
    update partners set ${assignments([...PARTNER_FIELDS, "updated_at"], 2)}, version = version + 1
    where id = $1
    returning *
  )
  select ${PARTNER_JSON} as json from c`);

/** Saves the fields of a partner that was locked before. */
export async function savePartner(tx: Tx, partner: PartnerFields & { id: string }): Promise<Partner> {
  return saved(await tx.query(saveStatement, [partner.id, ...valuesOf(partner, PARTNER_FIELDS), tx.now]));
}

const saveStatusStatement = statement(`
  with c as (
    update partners set status = $2, suspended_at = $3, suspension_reason = $4, updated_at = $5, version = version + 1
    where id = $1
    returning *
  )
  select ${PARTNER_JSON} as json from c`);

export async function savePartnerStatus(tx: Tx, id: string, status: Partner["status"], reason: string | null): Promise<Partner> {
  const suspended_at = status === "suspended" ? tx.now : null;
  return saved(await tx.query(saveStatusStatement, [id, status, suspended_at, reason, tx.now]));
}

function saved(rows: { json: string }[]): Partner {
  const partner = parsedRow<Partner>(rows);
  if (partner === null) throw new Error("the partner was not saved");
  return partner;
}
