import type { RecordKind } from "../../../kernel/changes.ts";
import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { columnsOf, membersOf, placeholders } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { ImportMode } from "../records/index.ts";
import { ACTIVE, ERROR_COLUMN, type Plan, type Status } from "./model.ts";
import { Import, type ImportListQuery } from "./schema.ts";

const PROGRESS = `case when c.status in ('completed', 'reverted') then 1 when c.total = 0 then 0
      when c.status = 'reverting' then round((c.removed + c.restored + c.kept)::numeric / greatest(c.created + c.updated, 1), 4)
      else round(c.processed::numeric / c.total, 4) end`;

const IMPORT_JSON = `(select row_to_json(x)::text from (select ${membersOf(Import, {
  columns: "c.plan -> 'columns'",
  mapping: "c.plan -> 'mapping'",
  unmapped_columns: `array(select name from jsonb_array_elements_text(c.plan -> 'columns') with ordinality u (name, position)
      where c.plan #>> array['mapping', name] is null and lower(name) not in ('', '${ERROR_COLUMN}') order by position)`,
  default_country: "c.plan -> 'default_country'",
  progress: `least(${PROGRESS}, 1)::float8`,
  revert: `case when c.reverted_at is not null or c.status = 'reverting'
      then json_build_object('removed', c.removed, 'restored', c.restored, 'kept', c.kept) end`,
})}) x)`;

const IDS = ["partner_id", "id", "account_id", "created_by", "worked_for"] as const;
const COUNTERS = [
  "total",
  "processed",
  "created",
  "updated",
  "unchanged",
  "failed",
  "removed",
  "restored",
  "kept",
  "attempts",
] as const;
/** Where the next step continues: the offset of the next row in the file, the last row read, and the number of batches so far. */
const POSITION = ["byte_offset", "row", "batches"] as const;
const OTHERS = ["resource", "mode", "dry_run", "status", "plan", "finished_at", "cleared"] as const;

export const IMPORT_COLUMNS = [...IDS, ...COUNTERS, ...POSITION, ...OTHERS] as const;

export type ImportRow = Record<(typeof IDS)[number], string> &
  Record<(typeof COUNTERS)[number] | (typeof POSITION)[number], number> & {
    resource: RecordKind;
    mode: ImportMode;
    dry_run: boolean;
    status: Status;
    plan: Plan;
    finished_at: Date | null;
    cleared: boolean;
    json: string;
  };

const IMPORT = `${columnsOf("c", IMPORT_COLUMNS)}, ${IMPORT_JSON} as json`;

const INSERTED = [
  "id",
  "account_id",
  "resource",
  "mode",
  "dry_run",
  "plan",
  "bytes",
  "total",
  "byte_offset",
  "created_by",
  "worked_for",
] as const;

type Inserted = (typeof INSERTED)[number];
export type NewImport = Pick<ImportRow, Exclude<Inserted, "bytes">> & { bytes: number };

const insertStatement = statement(`
  with c as (
    insert into imports as c (partner_id, created_at, ${INSERTED.join(", ")}) values ($1, $2, ${placeholders(INSERTED, 3)})
    returning c.*)
  select c.id, ${IMPORT_JSON} as json from c`);

export async function insertImport(tx: Tx, scope: TenantScope, fields: NewImport): Promise<{ id: string; json: string }> {
  const values = [scope.partner_id, tx.now, ...INSERTED.map((column) => fields[column])];
  const [row] = await tx.query<{ id: string; json: string }>(insertStatement, values);
  if (row === undefined) throw new Error("the import was not saved");
  return row;
}

export const IS_ACTIVE = `status in (${ACTIVE.map((status) => `'${status}'`).join(", ")})`;
const activeStatement = statement(`select count(*)::int as count from imports where partner_id = $1 and ${IS_ACTIVE}`);

export async function countActive(db: Queryable, scope: TenantScope): Promise<number> {
  return (await db.query<{ count: number }>(activeStatement, [scope.partner_id]))[0]?.count ?? 0;
}

/** Serialises the creation of a partner's imports, so that two at once cannot both be the last within the limit. */
const lockCreation = statement("select pg_advisory_xact_lock(7214006, hashtext($1))");

/** The same, locked until the transaction ends: another import is not created meanwhile. */
export async function countActiveLocked(tx: Tx, scope: TenantScope): Promise<number> {
  const [, count] = await Promise.all([tx.query(lockCreation, [scope.partner_id]), countActive(tx, scope)]);
  return count;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3)) and c.resource = any ($4)";
const importById = statement(`select ${IMPORT} from imports c where ${VISIBLE}`);
const lockImport = statement(`select ${IMPORT} from imports c where ${VISIBLE} for update`);

export async function importOrNull(db: Queryable, scope: TenantScope, id: string, resources: readonly RecordKind[]) {
  const [row] = await db.query<ImportRow>(importById, [scope.partner_id, id, boundClients(scope), resources]);
  return row ?? null;
}

export async function importForUpdateOrNull(tx: Tx, scope: TenantScope, id: string, resources: readonly RecordKind[]) {
  const [row] = await tx.query<ImportRow>(lockImport, [scope.partner_id, id, boundClients(scope), resources]);
  return row ?? null;
}

export function importsPage(db: Queryable, scope: TenantScope, resources: readonly RecordKind[], query: ImportListQuery) {
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
  with c as (
    update imports c set status = $3, failure = $4, finished_at = $5,
      reverted_at = case when $3 = 'reverted' then $6 else c.reverted_at end, attempts = 0, worked_for = coalesce($7, c.worked_for)
    where c.partner_id = $1 and c.id = $2
    returning c.*)
  select ${IMPORT} from c`);

export type NewStatus = {
  status: Status;
  failure?: { code: string; detail: string };
  finished_at: Date | null;
  worked_for?: string;
};

/** Saves the status of a locked import. */
export async function saveStatus(
  tx: Tx,
  { partner_id, id }: Pick<ImportRow, "partner_id" | "id">,
  { status, failure, finished_at, worked_for }: NewStatus,
): Promise<ImportRow> {
  const values = [partner_id, id, status, failure ?? null, finished_at, tx.now, worked_for ?? null];
  const [row] = await tx.query<ImportRow>(statusStatement, values);
  if (row === undefined) throw new Error("the import was not saved");
  return row;
}

const detailsStatement = statement(`
  with batches as (delete from import_batches where partner_id = $1 and import_id = $2),
    errors as (delete from import_errors where partner_id = $1 and import_id = $2)
  update imports set cleared = true where partner_id = $1 and id = $2`);

/** Deletes the errors of an import, and what its revert would need. */
export async function clearDetails(db: Queryable, { partner_id, id }: { partner_id: string; id: string }): Promise<void> {
  await db.query(detailsStatement, [partner_id, id]);
}

const oldStatement = statement(`
  -- all partners: retention, once a day.
  select partner_id, id from imports
  where finished_at < least($1::timestamptz, now() - make_interval(days => 30)) and not cleared and not ${IS_ACTIVE}
  order by finished_at limit $2`);

/** Imports that ended before a time. The database's clock is checked too: a service clock that runs ahead clears nothing. */
export function importsFinishedBefore(db: Queryable, before: Date, limit: number): Promise<{ partner_id: string; id: string }[]> {
  return db.query(oldStatement, [before, limit]);
}
