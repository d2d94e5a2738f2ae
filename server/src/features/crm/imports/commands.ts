import { setTimeout as sleep } from "node:timers/promises";
import type { Resource } from "../../../kernel/changes.ts";
import { fail, notFound } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { isPhoneCountry } from "../../../kernel/phone.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { csvCells } from "../../../platform/http/csv.ts";
import type { Result } from "../../../platform/http/route.ts";
import { eventMessage, HEARTBEAT } from "../../../platform/http/streams.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accessibleResources, accountForChange, accountForNew, mayAccess, scopeOf } from "../../accounts/custom-fields/index.ts";
import { errorsPage, failedRows } from "./errors.queries.ts";
import { storeFile } from "./file/commands.ts";
import { dropChunks } from "./file/queries.ts";
import { importableOf } from "./kinds.model.ts";
import {
  ACTIVE,
  ACTIVE_MAX,
  CANCELLABLE,
  ERROR_COLUMN,
  KEEP_DETAILS_MS,
  type Mapping,
  mapColumns,
  objectIn,
  REVERTIBLE,
  requireColumns,
} from "./model.ts";
import {
  countActive,
  type ImportRow,
  importForUpdateOrNull,
  importOrNull,
  importsPage,
  insertImport,
  saveStatus,
} from "./queries.ts";
import type { ImportErrorsQuery, ImportListQuery, ImportOptions } from "./schema.ts";
import { dropIdentities } from "./work.queries.ts";

/**
 * Takes a file in. Its bytes are stored as they come, outside of any transaction, so that a slow sender holds nothing up; the import
 * itself is made once they are all there.
 */
export async function createImport(ctx: Context, options: ImportOptions, source: AsyncIterable<Buffer>): Promise<Result> {
  const { resource = "contact", mode = "create", dry_run = false, default_country = null } = options;
  refuseUnusable(ctx, resource);
  const asked = mappingIn(options.mapping);
  const kind = importableOf(resource);
  refuseUnknownCountry(default_country);
  const id = newId("import", ctx.clock.now().getTime());
  const file = { partner_id: ctx.scope.partner_id, import_id: id };
  try {
    const { delimiter, columns, ...stored } = await storeFile(ctx.db, file, source);
    return await ctx.tx(async (tx) => {
      const account = await accountForNew(ctx, tx, resource, options.account_id);
      const mapping = mapColumns(kind, account.fields, columns, asked);
      requireColumns(kind, mode, mapping);
      if ((await countActive(tx, ctx.scope)) >= ACTIVE_MAX)
        fail("import_limit_reached", {
          detail: `${ACTIVE_MAX} imports are waiting or under way already.`,
          meta: { limit: ACTIVE_MAX },
        });
      const plan = { delimiter, columns, mapping, default_country };
      const created_by = actorOf(ctx.principal).id;
      const made = await insertImport(tx, ctx.scope, {
        id,
        account_id: account.id,
        resource,
        mode,
        dry_run,
        plan,
        created_by,
        ...stored,
      });
      const changes = { resource, mode, dry_run, total: stored.total };
      tell(tx, "create", { partner_id: ctx.scope.partner_id, id, account_id: account.id }, changes);
      return made;
    });
  } catch (error) {
    await dropChunks(ctx.db, file);
    throw error;
  }
}

/** What is done to an import stands in the audit log once; the rows themselves do not. */
export function tell(
  tx: Tx,
  verb: string,
  { partner_id, id, account_id }: Pick<ImportRow, "partner_id" | "id" | "account_id">,
  said: Record<string, unknown> = {},
): void {
  const changes = Object.fromEntries(Object.entries(said).map(([name, to]) => [name, { from: null, to }]));
  record(tx, { partner_id }, [], { action: `imports.${verb}`, target: id, client_id: account_id, changes });
}

function refuseUnusable(ctx: Context, resource: Resource): void {
  if (mayAccess(ctx, resource, "write")) return;
  const required_scope = scopeOf(resource, "write");
  fail("insufficient_scope", {
    detail: `An import of ${resource}s needs the scope ${required_scope}.`,
    meta: { required_scope },
  });
}

function refuseParameter(name: string, code: string, detail: string): never {
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: `#/${name}`, code, detail }] });
}

function refuseUnknownCountry(code: string | null): void {
  if (code !== null && !isPhoneCountry(code)) refuseParameter("default_country", "unknown_country", `${code} is not a country.`);
}

function mappingIn(text: string | undefined): Mapping | undefined {
  if (text === undefined) return undefined;
  const mapping = objectIn(text);
  if (mapping !== null && Object.values(mapping).every((field) => field === null || typeof field === "string"))
    return mapping as Mapping;
  refuseParameter(
    "mapping",
    "not_a_mapping",
    'mapping must be a JSON object of columns and fields, such as {"Mobile": "phone"}.',
  );
}

export async function getImport(ctx: Context, id: string): Promise<ImportRow> {
  return (await importOrNull(ctx.db.byKey, ctx.scope, id, accessibleResources(ctx, "read"))) ?? notFound(id);
}

export function listImports(ctx: Context, query: ImportListQuery): Promise<Result> {
  return importsPage(ctx.db, ctx.scope, accessibleResources(ctx, "read"), query);
}

export async function listErrors(ctx: Context, id: string, query: ImportErrorsQuery): Promise<Result> {
  return errorsPage(ctx.db, await getImport(ctx, id), query);
}

const FAILED_AT_ONCE = 500;

/** The rows that failed as they were, and what is wrong with each: to be mended and sent again. */
export async function failedRowsFile(ctx: Context, id: string): Promise<Result> {
  const found = await getImport(ctx, id);
  const { columns } = found.plan;
  const own = columns.flatMap((name, index) => (name.toLowerCase() === ERROR_COLUMN ? [] : [index]));
  const lineOf = (cells: readonly string[], last: string) => [
    ...own.map((index) => cells[index] ?? ""),
    ...cells.slice(columns.length),
    last,
  ];
  async function* pieces(): AsyncGenerator<string, void> {
    yield csvCells([lineOf(columns, ERROR_COLUMN)]);
    for (let after = 0; ; ) {
      const rows = await failedRows(ctx.db, found, after, FAILED_AT_ONCE);
      if (rows.length > 0) yield csvCells(rows.map(({ cells, said }) => lineOf(cells, said)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < FAILED_AT_ONCE) return;
      after = last.row;
    }
  }
  return { json: "", pieces: pieces() };
}

const LOOK_EVERY_MS = 500;
const HEARTBEAT_EVERY_MS = 15_000;

/** Tells how an import goes on until it is through. It reads the row, so that it does not matter who works on it. */
export async function followImport(ctx: Context, id: string): Promise<Result> {
  const first = await getImport(ctx, id);
  async function* pieces(): AsyncGenerator<string, void> {
    let told = "";
    let told_ms = performance.now();
    for (let now = first; ; now = await getImport(ctx, id)) {
      const over = !ACTIVE.includes(now.status);
      if (over) yield eventMessage("ended", now.json);
      if (over || ctx.readiness() === "draining") return;
      if (now.json !== told) yield eventMessage("progress", now.json);
      else if (performance.now() - told_ms > HEARTBEAT_EVERY_MS) yield HEARTBEAT;
      if (now.json !== told || performance.now() - told_ms > HEARTBEAT_EVERY_MS) told_ms = performance.now();
      told = now.json;
      await sleep(LOOK_EVERY_MS);
    }
  }
  return { json: "", pieces: pieces() };
}

async function lockImport(ctx: Context, tx: Tx, id: string): Promise<ImportRow> {
  return (await importForUpdateOrNull(tx, ctx.scope, id, accessibleResources(ctx, "write"))) ?? notFound(id);
}

/** Ends an import where it is; what it has done stays, and can be reverted. One that is over stays as it is. */
export function cancelImport(ctx: Context, id: string): Promise<ImportRow> {
  return ctx.tx(async (tx) => {
    const found = await lockImport(ctx, tx, id);
    if (!CANCELLABLE.includes(found.status)) return found;
    await endFile(tx, found);
    tell(tx, "cancel", found, { processed: found.processed });
    return saveStatus(tx, found, { status: "cancelled", finished_at: tx.now });
  });
}

/** Has what an import did undone, as far as nobody has touched it since. */
export function revertImport(ctx: Context, id: string): Promise<ImportRow> {
  return ctx.tx(async (tx) => {
    const found = await lockImport(ctx, tx, id);
    if (found.status === "reverting" || found.status === "reverted") return found;
    if (!REVERTIBLE.includes(found.status)) refuseRevert(found);
    if (found.dry_run)
      fail("import_not_revertible", { detail: "It was a dry run: nothing was changed.", meta: { reason: "dry_run" } });
    if (found.cleared || (found.finished_at?.getTime() ?? 0) < tx.now.getTime() - KEEP_DETAILS_MS)
      fail("import_not_revertible", { detail: "It is more than 30 days ago.", meta: { reason: "too_old" } });
    await accountForChange(ctx, tx, found.resource, found.account_id);
    tell(tx, "revert", found);
    return saveStatus(tx, found, { status: "reverting", finished_at: found.finished_at, worked_for: actorOf(ctx.principal).id });
  });
}

function refuseRevert({ status }: ImportRow): never {
  const detail = `The import is ${status}: wait until it is through, or cancel it first.`;
  fail("invalid_state_transition", { detail, meta: { from: status, allowed: ["cancelled"] } });
}

/** The file, and what was noted only for its rows, go when it is through. */
export async function endFile(tx: Tx, { partner_id, id }: Pick<ImportRow, "partner_id" | "id">): Promise<void> {
  await dropChunks(tx, { partner_id, import_id: id });
  await dropIdentities(tx, { partner_id, id });
}
