import { hash } from "node:crypto";
import { type ErrorCode, Refusal } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { isRetryable, isUnreachable } from "../../../platform/db/connection.ts";
import { type Context, createContext, type Services } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { accountForChange, scopeOf } from "../../accounts/custom-fields/index.ts";
import { type Importable, keepImages, type Outcome } from "../records/index.ts";
import { endFile, tell } from "./commands.ts";
import { type FailedRow, insertErrors } from "./errors.queries.ts";
import { type FileRow, readRows } from "./file/commands.ts";
import { importableOf } from "./kinds.model.ts";
import { type CellFault, createRowReader, type Plan } from "./model.ts";
import { saveStatus } from "./queries.ts";
import { revertStep } from "./revert.commands.ts";
import {
  importToWorkOrNull,
  insertBatch,
  knownIdentities,
  noteAttempt,
  noteIdentities,
  saveProgress,
  type WorkedImport,
} from "./work.queries.ts";

/** So many rows are written at a time: more are hardly faster, and whoever waits for one of them waits longer. */
const LIMITS = { rows: 1_000, characters: 2 * 1024 * 1024 };
const ATTEMPTS_MAX = 5;
/** What ends an import for good, because no further row could do better. */
const ENDING: ReadonlySet<ErrorCode> = new Set([
  "client_inactive",
  "invalid_credentials",
  "partner_suspended",
  "insufficient_scope",
  "not_found",
  "invalid_csv",
]);

export type Worked = { partner_id: string; id: string };

/**
 * Takes the next rows of an import in, or the next of a revert back, in one transaction that also notes how far it is: whatever ends a
 * process ends a step whole or leaves nothing of it. Says whether there was anything to do.
 */
export async function workImport(services: Services, { partner_id, id }: Worked): Promise<boolean> {
  const ctx = createContext(services, { principal: { type: "system", partner_id } });
  try {
    return await ctx.tx(async (tx) => {
      const held = await importToWorkOrNull(tx, partner_id, id);
      if (held === null) return false;
      if (isId("key", held.worked_for)) await services.admitWork(tx, workOf(held), tx.now);
      if (held.status === "reverting") await revertStep(ctx, tx, held);
      else await takeStep(ctx, tx, held);
      return true;
    });
  } catch (error) {
    if (error instanceof Refusal && ENDING.has(error.code)) await failImport(ctx, id, error);
    else if (isUnreachable(error) || isRetryable(error) || (await noteAttempt(ctx.db, partner_id, id)) < ATTEMPTS_MAX)
      throw error;
    else await failImport(ctx, id, new Refusal("internal_error", { cause: error }));
    return true;
  }
}

function workOf({ partner_id, worked_for, resource, account_id }: WorkedImport) {
  return { partner_id, key_id: worked_for, scope: scopeOf(resource, "write"), account_id };
}

/** An import that cannot go on keeps what it has done. A revert that cannot can be asked for again. */
function failImport(ctx: Context, id: string, { code, message }: Refusal): Promise<void> {
  return ctx.tx(async (tx) => {
    const held = await importToWorkOrNull(tx, ctx.scope.partner_id, id);
    if (held === null) return;
    await endFile(tx, held);
    tell(tx, "fail", held, { code, processed: held.processed });
    await saveStatus(tx, held, { status: "failed", failure: { code, detail: message }, finished_at: tx.now });
  });
}

async function takeStep(ctx: Context, tx: Tx, held: WorkedImport): Promise<void> {
  const { partner_id, id, plan, place, row } = held;
  const kind = importableOf(held.resource);
  const account = await accountForChange(ctx, tx, held.resource, held.account_id);
  const stretch = await readRows(ctx.db, { partner_id, import_id: id }, plan.delimiter, { place, row }, LIMITS);
  if (stretch.rows.length === 0 && held.processed < held.total) throw new Error(`the file of ${id} ends too soon`);
  const read = createRowReader(kind, account.fields, plan);
  const rows = stretch.rows.map((one) => ({ ...one, ...read(one.cells) }));
  const sound = rows.filter(({ faults }) => faults.length === 0);
  const { mode, dry_run } = held;
  const inputs = sound.map(({ input }) => input);
  // The rows themselves are told in the feed of changes; in the audit log the import stands for them all.
  const unaudited: Tx = { ...tx, tell: (whose, { audits: _, ...told }) => tx.tell(whose, told) };
  const batch = { ctx, tx: unaudited, account, mode, dry_run };
  const outcomes = await (dry_run ? tryRows(kind, held, batch, inputs) : kind.apply(batch, inputs));
  const failed: FailedRow[] = rows.filter(({ faults }) => faults.length > 0);
  for (const [index, outcome] of outcomes.entries()) {
    const one = sound[index];
    if (outcome.status === "failed" && one !== undefined) failed.push({ ...one, faults: faultsOf(outcome.refusal, plan, one) });
  }
  const made = dry_run ? [] : outcomes.flatMap((outcome) => (outcome.status === "created" ? [outcome.id] : []));
  if (failed.length > 0) await insertErrors(tx, held, failed);
  if (made.length > 0) await insertBatch(tx, held, made);
  const images = dry_run ? [] : outcomes.flatMap((outcome) => (outcome.status === "updated" ? (outcome.image ?? []) : []));
  await keepImages(tx, partner_id, id, images);
  const count = (status: Outcome["status"]) => outcomes.filter((outcome) => outcome.status === status).length;
  const counts = { created: count("created"), updated: count("updated"), unchanged: count("unchanged"), failed: failed.length };
  await saveProgress(tx, held, {
    ...counts,
    place: stretch.place,
    row: stretch.row,
    batches: made.length > 0 ? 1 : 0,
    now: tx.now,
  });
  if (held.processed + rows.length < held.total) return;
  await endFile(tx, held);
  const done = await saveStatus(tx, held, { status: "completed", finished_at: tx.now });
  tell(tx, "complete", held, { created: done.created, updated: done.updated, unchanged: done.unchanged, failed: done.failed });
}

type Batch = Parameters<Importable["apply"]>[0];

/** In a dry run nothing is written, so a row that is about what an earlier step would have made is told by its identity. */
async function tryRows(kind: Importable, held: WorkedImport, batch: Batch, inputs: readonly object[]): Promise<Outcome[]> {
  const digests = inputs.map((input) => kind.identities(batch, input).map((text) => hash("sha256", text, "buffer")));
  const known = await knownIdentities(batch.tx, held, digests.flat());
  const seen = digests.map((own) => own.some((digest) => known.has(digest.toString("hex"))));
  const tried = await kind.apply(batch, inputs);
  const outcomes = tried.map((outcome, index) => (seen[index] === true ? repeated(kind, batch, outcome) : outcome));
  const made = digests.filter((_, index) => outcomes[index]?.status === "created").flat();
  if (made.length > 0) await noteIdentities(batch.tx, held, made);
  return outcomes;
}

function repeated({ resource }: Importable, { mode }: Batch, outcome: Outcome): Outcome {
  if (outcome.status !== "created") return outcome;
  if (mode !== "create") return { status: "updated", image: null };
  const code = `duplicate_${resource}` as const;
  return { status: "failed", refusal: new Refusal(code, { detail: "An earlier row of the file is about the same." }) };
}

const VALUE_MAX = 200;

/** What is wrong with a row by the columns of its file. */
function faultsOf({ code, message, explanation }: Refusal, plan: Plan, { cells }: FileRow): CellFault[] {
  const columnOf = (field: string) => plan.columns.find((column) => fits(plan.mapping[column] ?? null, field)) ?? null;
  const place = (column: string | null) => {
    const cell = column === null ? undefined : cells[plan.columns.indexOf(column)];
    return { column, value: cell === undefined || cell === "" ? null : cell.slice(0, VALUE_MAX).toWellFormed() };
  };
  const { faults = [], meta } = explanation;
  if (faults.length === 0) {
    const [field] = Array.isArray(meta?.fields) ? (meta.fields as string[]) : [];
    return [{ ...place(field === undefined ? null : columnOf(field)), code, detail: message }];
  }
  // Of one place the first fault says it; what may also be null has further ones for the same.
  const first = faults.filter(({ pointer }, index) => faults.findIndex((other) => other.pointer === pointer) === index);
  return first.map((fault) => ({
    ...place(columnOf(fault.pointer.replace(/^#\//, "").replaceAll("/", "."))),
    code: code === "validation_failed" ? fault.code : code,
    detail: fault.detail,
  }));
}

/** Whether a column is for what a fault is about: `tags.0` is in tags, and a name may stand in two columns. */
function fits(target: string | null, field: string): boolean {
  if (target === null) return false;
  if (field === "name" && target === "first_name") return true;
  return field === target || field.startsWith(`${target}.`);
}
