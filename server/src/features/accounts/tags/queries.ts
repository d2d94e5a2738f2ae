import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, byText, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { type TagListQuery, Tag as TagSchema, type TagShown } from "./schema.ts";

const TAG_JSON = rowJson(TagSchema);

/** A tag as the API shows it, with its JSON. */
export type Tag = TagShown & { json: string };

const INSERTED = ["partner_id", "id", "account_id", "name", "description", "created_at", "updated_at"] as const;
const insertStatement = statement(`
  with c as (insert into account_tags ${insertValues(INSERTED)} on conflict do nothing returning *)
  select ${TAG_JSON} as json from c`);

/** Adds a tag; null when its name is in use. */
export async function insertTag(
  tx: Tx,
  { partner_id }: TenantScope,
  tag: Pick<Tag, "account_id" | "name" | "description">,
): Promise<Tag | null> {
  const row = { ...tag, partner_id, id: tx.newId("tag"), created_at: tx.now, updated_at: tx.now };
  return parsedRow<TagShown>(await tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const countStatement = statement(`
  select count(*)::int as count from account_tags c where c.partner_id = $1 and c.account_id = $2`);

export async function countTags(tx: Queryable, { partner_id }: TenantScope, account_id: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(countStatement, [partner_id, account_id]);
  return row?.count ?? 0;
}

const idByName = statement(`
  select c.id from account_tags c where c.partner_id = $1 and c.account_id = $2 and lower(c.name) = lower($3)`);

export async function tagIdByNameOrNull(
  tx: Queryable,
  scope: TenantScope,
  { account_id, name }: Pick<Tag, "account_id" | "name">,
) {
  const [row] = await tx.query<{ id: string }>(idByName, [scope.partner_id, account_id, name]);
  return row?.id ?? null;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const tagById = statement(`select ${TAG_JSON} as json from account_tags c where ${VISIBLE}`);
const lockTag = statement(`select ${TAG_JSON} as json from account_tags c where ${VISIBLE} for update`);

/** One tag within the caller's scope. */
export async function tagOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Tag | null> {
  return parsedRow<TagShown>(await db.query(tagById, [scope.partner_id, id, boundClients(scope)]));
}

export async function tagForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Tag | null> {
  return parsedRow<TagShown>(await tx.query(lockTag, [scope.partner_id, id, boundClients(scope)]));
}

const updateStatement = statement(`
  with c as (
    update account_tags set name = $3, description = $4, updated_at = $5, version = version + 1 where partner_id = $1 and id = $2
    returning *
  )
  select ${TAG_JSON} as json from c`);

/** Saves a locked tag; null when its name is in use. */
export async function saveTag(tx: Tx, scope: TenantScope, { id, name, description }: TagShown): Promise<Tag | null> {
  const values = [scope.partner_id, id, name, description, tx.now];
  const rows = await unlessTaken(tx, () => tx.query<{ json: string }>(updateStatement, values));
  return rows === null ? null : parsedRow<TagShown>(rows);
}

const deleteStatement = statement("delete from account_tags where partner_id = $1 and id = $2");

export async function removeTag(tx: Queryable, { partner_id }: TenantScope, id: string): Promise<void> {
  await tx.query(deleteStatement, [partner_id, id]);
}

/** By name where it is of one account, which has an index for it; of several, the newest first. */
export function tagsPage(db: Queryable, scope: TenantScope, query: TagListQuery) {
  const accounts = requestedAccounts(scope, query.account_id);
  const ofOne = accounts?.length === 1;
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("tags", { account_id: query.account_id, ofOne }),
      table: "account_tags",
      json: TAG_JSON,
      sort: ofOne ? byText("lower(c.name)") : byCreation(true),
      conditions: (place) => (accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
    },
    query,
  );
}
