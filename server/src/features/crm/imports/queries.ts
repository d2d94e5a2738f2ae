import type { Resource } from "../../../kernel/changes.ts";
import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { ImportMode } from "../records/index.ts";
import { ACTIVE, ERROR_COLUMN, type Plan, type Status } from "./model.ts";
import type { ImportListQuery } from "./schema.ts";

const PROGRESS = `case when c.status in ('completed', 'reverted') then 1 when c.total = 0 then 0
      when c.status = 'reverting' then round((c.removed + c.restored + c.kept)::numeric / greatest(c.created + c.updated, 1), 4)
      else round(c.processed::numeric / c.total, 4) end`;

const IMPORT_JSON = `(select row_to_json(x)::text from (select
    c.id, c.account_id, c.resource, c.mode, c.dry_run, c.status, c.plan -> 'columns' as columns, c.plan -> 'mapping' as mapping,
    array(select name from jsonb_array_elements_text(c.plan -> 'columns') with ordinality u (name, place)
      where c.plan #>> array['mapping', name] is null and lower(name) not in ('', '${ERROR_COLUMN}') order by place) as unmapped_columns,
    c.plan -> 'default_country' as default_country, c.bytes, c.total, c.processed, c.created, c.updated, c.unchanged, c.failed,
    least(${PROGRESS}, 1)::float8 as progress, c.failure,
    case when c.reverted_at is not null or c.status = 'reverting'
      then json_build_object('removed', c.removed, 'restored', c.restored, 'kept', c.kept) end as revert,
    c.created_by, wire_time(c.created_at) as created_at, wire_time(c.started_at) as started_at,
    wire_time(c.finished_at) as finished_at, wire_time(c.reverted_at) as reverted_at) x)`;

const IMPORT = `c.partner_id, c.id, c.account_id, c.resource, c.mode, c.dry_run, c.status, c.plan, c.total, c.processed, c.created, c.updated,
    c.unchanged, c.failed, c.removed, c.restored, c.kept, c.place, c.row, c.batches, c.attempts, c.created_by, c.worked_for, c.finished_at, c.cleared, ${IMPORT_JSON} as json`;

export type ImportRow = {
  partner_id: string;
  id: string;
  account_id: string;
  resource: Resource;
  mode: ImportMode;
  dry_run: boolean;
  status: Status;
  plan: Plan;
  total: number;
  processed: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  removed: number;
  restored: number;
  kept: number;
  place: number;
  row: number;
  batches: number;
  attempts: number;
  created_by: string;
  worked_for: string;
  finished_at: Date | null;
  cleared: boolean;
  json: string;
};

export type NewImport = Pick<
  ImportRow,
  "id" | "account_id" | "resource" | "mode" | "dry_run" | "plan" | "total" | "place" | "created_by"
> & {
  bytes: number;
};

const insertStatement = statement(`
  insert into imports as c (partner_id, id, account_id, resource, mode, dry_run, plan, bytes, total, place, created_by, worked_for, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12)
  returning c.id, ${IMPORT_JSON} as json`);

export async function insertImport(tx: Tx, scope: TenantScope, made: NewImport): Promise<{ id: string; json: string }> {
  const { id, account_id, resource, mode, dry_run, plan, bytes, total, place, created_by } = made;
  const values = [scope.partner_id, id, account_id, resource, mode, dry_run, plan, bytes, total, place, created_by, tx.now];
  const [row] = await tx.query<{ id: string; json: string }>(insertStatement, values);
  if (row === undefined) throw new Error("the import was not saved");
  return row;
}

const IS_ACTIVE = `status in (${ACTIVE.map((status) => `'${status}'`).join(", ")})`;
const activeStatement = statement(`select count(*)::int as count from imports where partner_id = $1 and ${IS_ACTIVE}`);

export async function countActive(db: Queryable, scope: TenantScope): Promise<number> {
  return (await db.query<{ count: number }>(activeStatement, [scope.partner_id]))[0]?.count ?? 0;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3)) and c.resource = any ($4)";
const importById = statement(`select ${IMPORT} from imports c where ${VISIBLE}`);
const lockImport = statement(`select ${IMPORT} from imports c where ${VISIBLE} for update`);

export async function importOrNull(db: Queryable, scope: TenantScope, id: string, resources: readonly Resource[]) {
  const [row] = await db.query<ImportRow>(importById, [scope.partner_id, id, boundClients(scope), resources]);
  return row ?? null;
}

export async function importForUpdateOrNull(tx: Tx, scope: TenantScope, id: string, resources: readonly Resource[]) {
  const [row] = await tx.query<ImportRow>(lockImport, [scope.partner_id, id, boundClients(scope), resources]);
  return row ?? null;
}

export function importsPage(db: Queryable, scope: TenantScope, resources: readonly Resource[], query: ImportListQuery) {
  const { account_id, resource, status } = query;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("imports", { account_id, resource, status }),
      table: "imports",
      json: IMPORT_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        ...(status === undefined ? [] : [anyOf("c.status", status, place)]),
        anyOf("c.resource", resource === undefined ? resources : resources.filter((one) => one === resource), place),
      ],
    },
    query,
  );
}

const statusStatement = statement(`
  update imports c set status = $3, failure = $4, finished_at = $5,
    reverted_at = case when $3 = 'reverted' then $6 else c.reverted_at end, attempts = 0,
    worked_for = coalesce($7, c.worked_for)
  where c.partner_id = $1 and c.id = $2
  returning ${IMPORT}`);

export type NewStatus = {
  status: Status;
  failure?: { code: string; detail: string };
  finished_at: Date | null;
  worked_for?: string;
};

/** Saves the status of an import that was locked before. */
export async function saveStatus(
  tx: Tx,
  { partner_id, id }: Pick<ImportRow, "partner_id" | "id">,
  to: NewStatus,
): Promise<ImportRow> {
  const { status, failure = null, finished_at, worked_for = null } = to;
  const [row] = await tx.query<ImportRow>(statusStatement, [partner_id, id, status, failure, finished_at, tx.now, worked_for]);
  if (row === undefined) throw new Error("the import was not saved");
  return row;
}

const detailsStatement = statement(`
  with batches as (delete from import_batches where partner_id = $1 and import_id = $2),
    errors as (delete from import_errors where partner_id = $1 and import_id = $2)
  update imports set cleared = true where partner_id = $1 and id = $2`);

/** Takes away what a revert and the list of errors would need. */
export async function clearDetails(db: Queryable, { partner_id, id }: { partner_id: string; id: string }): Promise<void> {
  await db.query(detailsStatement, [partner_id, id]);
}

const oldStatement = statement(`
  select partner_id, id from imports
  where finished_at < least($1::timestamptz, now() - make_interval(days => 30)) and not cleared and not ${IS_ACTIVE}
  order by finished_at limit $2`);

/** Imports that were through before a time; the database's clock has a say, so that one that runs ahead clears nothing. */
export function importsFinishedBefore(db: Queryable, before: Date, limit: number): Promise<{ partner_id: string; id: string }[]> {
  return db.query(oldStatement, [before, limit]);
}
