import { type ErrorCode, Refusal } from "../../../kernel/errors.ts";
import { isRetryable, isUnreachable } from "../../../platform/db/connection.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForChange, scopeOf } from "../../accounts/custom-fields/index.ts";
import { keepImages, type Outcome } from "../records/index.ts";
import { createRowReader } from "./cells.model.ts";
import { deleteFile, recordAction } from "./commands.ts";
import { applyDryRun } from "./dry-run.commands.ts";
import { type FailedRow, insertErrors } from "./errors.queries.ts";
import { faultsOf } from "./faults.model.ts";
import { readRows } from "./file/commands.ts";
import { importableOf } from "./importables.model.ts";
import { saveStatus } from "./queries.ts";
import { revertStep } from "./revert.commands.ts";
import { type ActiveImport, activeImportForUpdateOrNull, countAttempt, insertBatch, saveProgress } from "./step.queries.ts";

/** The size of a step: larger ones are hardly faster, and hold their locks longer. */
const LIMITS = { rows: 1_000, bytes: 2 * 1024 * 1024 };
const ATTEMPTS_MAX = 5;
/** Errors that fail the import, because every further row would fail too. */
const FATAL: ReadonlySet<ErrorCode> = new Set([
  "client_inactive",
  "invalid_credentials",
  "partner_suspended",
  "insufficient_scope",
  "not_found",
  "invalid_csv",
]);

/**
 * Runs the next step of an import or of its revert, in one transaction with its progress: after a crash, a step is either done or not.
 * False when there was nothing to do.
 */
export async function workImport(services: Services, { partner_id, id }: { partner_id: string; id: string }): Promise<boolean> {
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  try {
    return await ctx.tx(async (tx) => {
      const active = await activeImportForUpdateOrNull(tx, partner_id, id);
      if (active === null) return false;
      if (active.worked_for !== "system") await services.admitWork(tx, workOf(active), tx.now);
      if (active.status === "reverting") await revertStep(ctx, tx, active);
      else await importStep(ctx, tx, active);
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal && FATAL.has(error.code)) await failImport(ctx, id, error);
    else if (
      isUnreachable(error) ||
      isRetryable(error) ||
      (await countAttempt(ctx.db, partner_id, id, ctx.clock.now())) < ATTEMPTS_MAX
    )
      throw error;
    else await failImport(ctx, id, new Refusal("internal_error", { cause: error }));
    return true;
  }
}

function workOf({ partner_id, worked_for, resource, account_id }: ActiveImport) {
  return { partner_id, by: worked_for, scope: scopeOf(resource, "write"), accounts: [account_id] };
}

/** A failed import keeps the rows that it has processed. A failed revert can be requested again. */
function failImport(ctx: Context, id: string, { code, message }: Refusal): Promise<void> {
  return ctx.tx(async (tx) => {
    const active = await activeImportForUpdateOrNull(tx, ctx.scope.partner_id, id);
    if (active === null) return;
    await deleteFile(tx, active);
    recordAction(tx, "fail", active, { code, processed: active.processed });
    await saveStatus(tx, active, { status: "failed", failure: { code, detail: message }, finished_at: tx.now });
  });
}

async function importStep(ctx: Context, tx: Tx, active: ActiveImport): Promise<void> {
  const { partner_id, id, plan, mode, dry_run, byte_offset, row } = active;
  const kind = importableOf(active.resource);
  const account = await accountForChange(ctx, tx, active.resource, active.account_id);
  const read = await readRows(ctx.db, { partner_id, import_id: id }, plan.delimiter, { byte_offset, row }, LIMITS);
  if (read.row === row && active.processed < active.total) throw new Error(`the file of ${id} ends too soon`);
  const readRow = createRowReader(kind, account.fields, plan);
  const rows = read.rows.map((one) => ({ ...one, ...readRow(one.cells) }));
  const valid = rows.filter(({ faults }) => faults.length === 0);
  const inputs = valid.map(({ input }) => input);
  // The rows are in the change feed; in the audit log the import has one entry for all of them.
  const unaudited: Tx = { ...tx, tell: (whose, { audits: _, ...drafts }) => tx.tell(whose, drafts) };
  const batch = { ctx, tx: unaudited, account, mode, dry_run };
  const outcomes = await (dry_run ? applyDryRun(kind, active, batch, inputs) : kind.apply(batch, inputs));
  const failed: FailedRow[] = rows.filter(({ faults }) => faults.length > 0);
  for (const [index, outcome] of outcomes.entries()) {
    const one = valid[index];
    if (outcome.status === "failed" && one !== undefined)
      failed.push({ ...one, faults: faultsOf(outcome.refusal, plan, one.cells) });
  }
  if (failed.length > 0) await insertErrors(tx, active, failed);
  const batches = dry_run ? 0 : await saveUndo(tx, active, outcomes);
  const count = (status: Outcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = { created: count("created"), updated: count("updated"), unchanged: count("unchanged"), failed: failed.length };
  const { byte_offset: next_offset, row: last_row } = read;
  await saveProgress(tx, active, { ...counts, byte_offset: next_offset, row: last_row, batches, now: tx.now });
  if (active.processed + rows.length >= active.total) await completeImport(tx, active);
}

/** Keeps what a revert needs: the ids of created records, and the images of updated ones. Returns how many batches of ids there are. */
async function saveUndo(tx: Tx, active: ActiveImport, outcomes: readonly Outcome[]): Promise<number> {
  const created = outcomes.flatMap((outcome) => (outcome.status === "created" ? [outcome.id] : []));
  const images = outcomes.flatMap((outcome) => (outcome.status === "updated" ? (outcome.image ?? []) : []));
  if (created.length > 0) await insertBatch(tx, active, created);
  await keepImages(tx, active.partner_id, active.id, images);
  return created.length > 0 ? 1 : 0;
}

async function completeImport(tx: Tx, active: ActiveImport): Promise<void> {
  await deleteFile(tx, active);
  const { created, updated, unchanged, failed } = await saveStatus(tx, active, { status: "completed", finished_at: tx.now });
  recordAction(tx, "complete", active, { created, updated, unchanged, failed });
}
