import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { type Tx, unlessTaken } from "../../../platform/record/tx.ts";
import { PERSONAL_MAX, SHARED_MAX, type View } from "./model.ts";
import { type ViewListQuery, View as ViewSchema, type ViewShown } from "./schema.ts";

const VIEW_JSON = rowJson(ViewSchema);

/** The views of the user $2, and those shared in accounts that the caller may access; only $3 where the access is limited. */
const VISIBLE = `c.partner_id = $1 and (c.created_by = $2 or c.shared) and ($3::text[] is null or c.account_id = any ($3) or c.created_by = $2)`;

const listStatement = statement(`
  select ${VIEW_JSON} as json from views c
  where ${VISIBLE} and ($4::text is null or c.page = $4) and ($5::text is null or c.account_id = $5)
  order by c.shared, lower(c.name), c.id limit 1000`);

/** The views that a user sees, the personal ones first. */
export async function viewsOf(db: Queryable, scope: TenantScope, user_id: string, { page, account_id }: ViewListQuery) {
  const values = [scope.partner_id, user_id, boundClients(scope), page ?? null, account_id ?? null];
  return (await db.query<{ json: string }>(listStatement, values)).map(({ json }) => json);
}

/** Views of an account change under a shared lock of its row: whoever changes many of them at once takes it alone. */
const lockAccountStatement = statement(`
  select 1 from clients a
  where a.partner_id = $1 and a.id = (select c.account_id from views c where c.partner_id = $1 and c.id = $2)
  for share of a`);

const lockStatement = statement(`select ${VIEW_JSON} as json from views c where ${VISIBLE} and c.id = $4 for update`);

/** A view that a user sees, locked until the transaction ends. */
export async function viewForUpdateOrNull(tx: Tx, scope: TenantScope, user_id: string, id: string): Promise<View | null> {
  const [, rows] = await Promise.all([
    tx.query(lockAccountStatement, [scope.partner_id, id]),
    tx.query<{ json: string }>(lockStatement, [scope.partner_id, user_id, boundClients(scope), id]),
  ]);
  return parsedRow<ViewShown>(rows);
}

/** Serialises the views of a partner, so that two at once cannot both be the last within a limit. */
const lockPartnerStatement = statement("select pg_advisory_xact_lock(7214009, hashtext($1))");

const countStatement = statement(`
  select count(*) filter (where c.shared and c.account_id is not distinct from $3)::int as shared,
    count(*) filter (where not c.shared and c.created_by = $2)::int as personal
  from views c where c.partner_id = $1 and (c.shared or c.created_by = $2) and c.id <> $4`);

type Owned = Pick<ViewShown, "account_id" | "created_by" | "shared" | "id">;

/** Whether one more view is within the limits. Nobody adds one before the transaction ends. */
export async function isWithinLimits(
  tx: Tx,
  scope: TenantScope,
  { account_id, created_by, shared, id }: Owned,
): Promise<boolean> {
  const [, [row]] = await Promise.all([
    tx.query(lockPartnerStatement, [scope.partner_id]),
    tx.query<{ shared: number; personal: number }>(countStatement, [scope.partner_id, created_by, account_id, id]),
  ]);
  return row !== undefined && (shared ? row.shared < SHARED_MAX : row.personal < PERSONAL_MAX);
}

const accountStatement = statement(`
  select 1 from clients c where c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.id = any ($3))
  for share`);

/** Whether the caller may access an account, which is then locked for share. */
export async function isAccount(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(accountStatement, [scope.partner_id, id, boundClients(scope)])).length > 0;
}

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "page",
  "name",
  "query",
  "shared",
  "created_by",
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`
  with c as (insert into views ${insertValues(INSERTED)} returning *)
  select ${VIEW_JSON} as json from c`);

/** Adds a view; null when its owner has one of this name for the page. */
export function insertView(tx: Tx, { partner_id }: TenantScope, view: Omit<ViewShown, "version">): Promise<View | null> {
  const row = { ...view, partner_id, created_at: tx.now, updated_at: tx.now };
  return saved(tx, () => tx.query(insertStatement, valuesOf(row, INSERTED)));
}

const updateStatement = statement(`
  with c as (
    update views set name = $3, query = $4, shared = $5, created_by = $6, updated_at = $7, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${VIEW_JSON} as json from c`);

/** Saves a locked view; null when its owner has another one of this name for the page. */
export function saveView(tx: Tx, { partner_id }: TenantScope, view: ViewShown): Promise<View | null> {
  const { id, name, query, shared, created_by } = view;
  return saved(tx, () => tx.query(updateStatement, [partner_id, id, name, query, shared, created_by, tx.now]));
}

async function saved(tx: Tx, write: () => Promise<{ json: string }[]>): Promise<View | null> {
  const rows = await unlessTaken(tx, write);
  return rows === null ? null : parsedRow<ViewShown>(rows);
}

const deleteStatement = statement("delete from views where partner_id = $1 and id = $2");

export async function removeView(tx: Tx, { partner_id }: TenantScope, id: string): Promise<void> {
  await tx.query(deleteStatement, [partner_id, id]);
}
