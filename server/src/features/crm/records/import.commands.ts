import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { RecordImage } from "./images.queries.ts";
import type { Importable, ImportBatch, Outcome } from "./import.model.ts";

type VersionedRow = { id: string; version: number; deleted_at: Date | null };

/** A resource that is imported row by row, with the commands of its API. */
export type RowByRow<Row, R extends VersionedRow> = Pick<Importable, "resource" | "fields" | "required"> & {
  /** The validated input of a row. */
  read(batch: ImportBatch, input: Record<string, unknown>): Row & { id?: string };
  identities(row: Row): string[];
  /** The records that match a row; more than one is refused. */
  find(batch: ImportBatch, row: Row): Promise<string[]>;
  lock(ctx: Context, tx: Tx, ids: readonly string[]): Promise<R[]>;
  add(batch: ImportBatch, row: Row): Promise<R>;
  /** Returns `before` itself when nothing changes. */
  change(batch: ImportBatch, before: R, row: Row): Promise<R>;
  remove(ctx: Context, tx: Tx, record: R): Promise<void>;
  image(record: R): object;
  /** Restores a record from its image. */
  restore(ctx: Context, tx: Tx, record: R, before: object): Promise<void>;
};

/** Imports a resource row by row. A refused row is rolled back alone; a dry run is rolled back as a whole. */
export function importRowByRow<Row, R extends VersionedRow>(kind: RowByRow<Row, R>): Importable {
  return {
    resource: kind.resource,
    fields: kind.fields,
    required: kind.required,
    identities: (_batch, input) => kind.identities(input as Row),
    async apply(batch, inputs) {
      if (!batch.dry_run) return applyAll(kind, batch, inputs);
      return batch.tx.savepoint(
        () => applyAll(kind, batch, inputs),
        () => false,
      );
    },
    async remove(ctx, tx, records) {
      const removed: string[] = [];
      for (const record of await unchangedRecords(kind, ctx, tx, records)) {
        const done = await tx.savepoint(() => kind.remove(ctx, tx, record)).catch(refusedOutcome);
        if (done === undefined) removed.push(record.id);
      }
      return removed;
    },
    async restore(ctx, tx, images: readonly RecordImage[]) {
      const before = new Map(images.map((image) => [image.record_id, image.before]));
      const restored: string[] = [];
      for (const record of await unchangedRecords(
        kind,
        ctx,
        tx,
        images.map(({ record_id: id, version }) => ({ id, version })),
      )) {
        const done = await tx.savepoint(() => kind.restore(ctx, tx, record, before.get(record.id) ?? {})).catch(refusedOutcome);
        if (done === undefined) restored.push(record.id);
      }
      return restored;
    },
  };
}

async function applyRow<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  input: object,
): Promise<Outcome> {
  const { ctx, tx, mode } = batch;
  const row = kind.read(batch, input as Record<string, unknown>);
  const found = await matchOf(kind, batch, row);
  if (found === null) {
    if (mode === "update") fail("not_found", { detail: `The account has no ${kind.resource} that matches this row.` });
    return { status: "created", id: (await kind.add(batch, row)).id };
  }
  const [before] = await kind.lock(ctx, tx, [found]);
  if (before === undefined || before.deleted_at !== null) notFound(found);
  if (mode === "create") {
    const code = kind.resource === "lead" ? "duplicate_lead" : "duplicate_deal";
    fail(code, { detail: `The ${kind.resource} exists already: ${found}.`, meta: { existing_id: found } });
  }
  const after = await kind.change(batch, before, row);
  if (after.version === before.version) return { status: "unchanged" };
  return { status: "updated", image: { record_id: found, version: after.version, before: kind.image(before) } };
}

/** The record that a row matches; null when there is none. */
async function matchOf<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  row: Row & { id?: string },
): Promise<string | null> {
  const { ctx, tx, mode } = batch;
  if (row.id !== undefined && mode !== "create") {
    const [named] = await kind.lock(ctx, tx, [row.id]);
    if (named !== undefined && named.deleted_at === null) return named.id;
    if (mode === "update") notFound(row.id);
  }
  const [only, another] = await kind.find(batch, row);
  if (another !== undefined)
    fail("ambiguous_match", { detail: `The row matches both ${only} and ${another}.`, meta: { candidates: [only, another] } });
  return only ?? null;
}

async function applyAll<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  inputs: readonly object[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const input of inputs) outcomes.push(await batch.tx.savepoint(() => applyRow(kind, batch, input)).catch(refusedOutcome));
  return outcomes;
}

async function unchangedRecords<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  ctx: Context,
  tx: Tx,
  records: readonly { id: string; version: number }[],
): Promise<R[]> {
  const versions = new Map(records.map(({ id, version }) => [id, version]));
  const locked = await kind.lock(ctx, tx, [...versions.keys()]);
  return locked.filter(({ id, version, deleted_at }) => deleted_at === null && versions.get(id) === version);
}

function refusedOutcome(error: unknown): Outcome {
  if (!(error instanceof Refusal)) throw error;
  return { status: "failed", refusal: error };
}
