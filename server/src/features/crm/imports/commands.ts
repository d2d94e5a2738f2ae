import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
import { followProgress } from "../../../platform/http/progress.ts";
import type { Result } from "../../../platform/http/route.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record, type Tx } from "../../../platform/record/tx.ts";
import { accessibleResources, accountForChange } from "../../accounts/custom-fields/index.ts";
import { deleteChunks } from "./file/queries.ts";
import { importableOf } from "./importables.model.ts";
import { ACTIVE, CANCELLABLE, KEEP_DETAILS_MS, REVERTIBLE } from "./model.ts";
import { type ImportRow, importForUpdateOrNull, importOrNull, importsPage, saveStatus } from "./queries.ts";
import type { ImportFieldsQuery, ImportListQuery } from "./schema.ts";
import { deleteIdentities } from "./step.queries.ts";

type ImportId = Pick<ImportRow, "partner_id" | "id">;

/** Records an action on an import in the audit log. Its rows have no audit entries of their own. */
export function recordAction(
  tx: Tx,
  verb: string,
  { partner_id, id, account_id }: ImportId & { account_id: string },
  values: Record<string, unknown> = {},
): void {
  const changes = Object.fromEntries(Object.entries(values).map(([name, to]) => [name, { from: null, to }]));
  record(tx, { partner_id }, [], { action: `imports.${verb}`, target: id, client_id: account_id, changes });
}

export async function getImport(ctx: Context, id: string): Promise<ImportRow> {
  return (await importOrNull(ctx.db.byKey, ctx.scope, id, accessibleResources(ctx, "read"))) ?? notFound(id);
}

export function listImports(ctx: Context, query: ImportListQuery): Promise<Result> {
  return importsPage(ctx.db, ctx.scope, accessibleResources(ctx, "read"), query);
}

/** The fields that columns can be mapped to, and those that a file must have. */
export function importFields({ resource = "contact" }: ImportFieldsQuery): Result {
  const { fields, required } = importableOf(resource);
  return { json: JSON.stringify({ resource, fields: fields.map(({ name, synonyms = [] }) => ({ name, synonyms })), required }) };
}

/** Streams the progress of an import until it has ended. */
export function followImport(ctx: Context, id: string): Promise<Result> {
  return followProgress(
    ctx,
    () => getImport(ctx, id),
    ({ status }) => !ACTIVE.includes(status),
  );
}

async function lockImport(ctx: Context, tx: Tx, id: string): Promise<ImportRow> {
  return (await importForUpdateOrNull(tx, ctx.scope, id, accessibleResources(ctx, "write"))) ?? notFound(id);
}

/** Stops an import. The rows that it has processed stay, and can be reverted. Idempotent. */
export function cancelImport(ctx: Context, id: string): Promise<ImportRow> {
  return ctx.tx(async (tx) => {
    const current = await lockImport(ctx, tx, id);
    if (!CANCELLABLE.includes(current.status)) return current;
    await deleteFile(tx, current);
    recordAction(tx, "cancel", current, { processed: current.processed });
    return saveStatus(tx, current, { status: "cancelled", finished_at: tx.now });
  });
}

/** Starts to undo an import, for the records that nobody has changed since. Idempotent. */
export function revertImport(ctx: Context, id: string): Promise<ImportRow> {
  return ctx.tx(async (tx) => {
    const current = await lockImport(ctx, tx, id);
    const { status, finished_at, resource, account_id } = current;
    if (status === "reverting" || status === "reverted") return current;
    if (!REVERTIBLE.includes(status)) refuseTransition(current);
    if (current.dry_run)
      fail("import_not_revertible", { detail: "The import was a dry run and changed nothing.", meta: { reason: "dry_run" } });
    if (current.cleared || (finished_at?.getTime() ?? 0) < tx.now.getTime() - KEEP_DETAILS_MS)
      fail("import_not_revertible", { detail: "The import ended more than 30 days ago.", meta: { reason: "too_old" } });
    await accountForChange(ctx, tx, resource, account_id);
    recordAction(tx, "revert", current);
    return saveStatus(tx, current, { status: "reverting", finished_at, worked_for: actorOf(ctx.principal).id });
  });
}

function refuseTransition({ status }: ImportRow): never {
  const detail = `The import is ${status}. Wait until it has ended, or cancel it first.`;
  fail("invalid_state_transition", { detail, meta: { from: status, allowed: ["cancelled"] } });
}

/** Deletes the file of an import, and what only its rows needed. */
export async function deleteFile(tx: Tx, { partner_id, id }: ImportId): Promise<void> {
  await deleteChunks(tx, { partner_id, import_id: id });
  await deleteIdentities(tx, { partner_id, id });
}
