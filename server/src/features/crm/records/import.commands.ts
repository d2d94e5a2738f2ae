import { fail, notFound, Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { refuseUnknownOwner } from "../../accounts/custom-fields/index.ts";
import type { RecordImage } from "./images.queries.ts";
import type { Importable, ImportBatch, Outcome } from "./import.model.ts";
import { planWithValues } from "./import.queries.ts";

type VersionedRow = { id: string; account_id: string; version: number; deleted_at: Date | null };

/** A resource that is imported with the commands of its API: new records together, existing ones row by row. */
export type RowByRow<Row, R extends VersionedRow> = Pick<Importable, "resource" | "fields" | "required"> & {
  /** The validated input of a row. */
  read(batch: ImportBatch, input: Record<string, unknown>): Row & { id?: string };
  identities(row: Row): string[];
  /** The records that match a row; more than one is refused. */
  find(batch: ImportBatch, row: Row): Promise<string[]>;
  lock(ctx: Context, tx: Tx, ids: readonly string[]): Promise<R[]>;
  /** The version without those that the service made by itself, which a revert undoes all the same; by default, the version. */
  edition?(record: R): number;
  /** Those of the rows' identities that records of the account have. */
  taken(batch: ImportBatch, rows: readonly Row[]): Promise<Set<string>>;
  add(batch: ImportBatch, row: Row): Promise<R>;
  /** Adds new records together. Null where that is not possible: they are then added one by one. */
  addAll(batch: ImportBatch, rows: readonly Row[]): Promise<Outcome[] | null>;
  /** Returns `before` itself when nothing changes. */
  change(batch: ImportBatch, before: R, row: Row): Promise<R>;
  remove(ctx: Context, tx: Tx, record: R): Promise<void>;
  image(record: R): object;
  /** Restores a record from its image. */
  restore(ctx: Context, tx: Tx, record: R, before: object): Promise<void>;
};

/** Imports a resource. A refused row is rolled back alone; a dry run is rolled back as a whole. */
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
  row: Row & { id?: string },
): Promise<Outcome> {
  const { ctx, tx, mode } = batch;
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
  return { status: "updated", image: { record_id: found, version: editionOf(kind, after), before: kind.image(before) } };
}

/** The record that a row matches; null when there is none. */
async function matchOf<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  row: Row & { id?: string },
): Promise<string | null> {
  const { ctx, tx, mode, account } = batch;
  if (row.id !== undefined && mode !== "create") {
    const [named] = await kind.lock(ctx, tx, [row.id]);
    // The import may see all accounts of the partner; whoever sent it perhaps not.
    if (named !== undefined && named.deleted_at === null && named.account_id === account.id) return named.id;
    if (mode === "update") notFound(row.id);
  }
  const [only, another] = await kind.find(batch, row);
  if (another !== undefined)
    fail("ambiguous_match", { detail: `The row matches both ${only} and ${another}.`, meta: { candidates: [only, another] } });
  return only ?? null;
}

/**
 * Imports rows in their order. Consecutive rows that no record and no earlier row shares an identity with are added together; the
 * identities that records have are read once for all rows.
 */
async function applyAll<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  inputs: readonly object[],
): Promise<Outcome[]> {
  const rows = inputs.map((input) => refusalOr(() => kind.read(batch, input as Record<string, unknown>)));
  await planWithValues(batch.tx);
  const taken = await kind.taken(batch, accepted(rows));
  const outcomes: Outcome[] = [];
  let together: [number, Row & { id?: string }][] = [];
  const addTogether = async () => {
    const added = await applyTogether(
      kind,
      batch,
      together.map(([, row]) => row),
    );
    for (const [at, [index]] of together.entries()) outcomes[index] = added[at] as Outcome;
    together = [];
  };
  for (const [index, row] of rows.entries()) {
    if (row instanceof Refusal) {
      outcomes[index] = { status: "failed", refusal: row };
      continue;
    }
    const identities = kind.identities(row);
    const mayExist = batch.mode === "update" || (batch.mode === "upsert" && row.id !== undefined);
    if (mayExist || identities.some((one) => taken.has(one))) {
      await addTogether();
      outcomes[index] = await applyAlone(kind, batch, row);
    } else together.push([index, row]);
    for (const one of identities) taken.add(one);
  }
  await addTogether();
  return outcomes;
}

async function applyTogether<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  rows: readonly (Row & { id?: string })[],
): Promise<Outcome[]> {
  if (rows.length === 0) return [];
  const added =
    rows.length === 1
      ? null
      : await batch.tx.savepoint(
          () => kind.addAll(batch, rows),
          (made) => made !== null,
        );
  if (added !== null) return added;
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await applyAlone(kind, batch, row));
  return outcomes;
}

function applyAlone<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  batch: ImportBatch,
  row: Row & { id?: string },
): Promise<Outcome> {
  return batch.tx.savepoint(() => applyRow(kind, batch, row)).catch(refusedOutcome);
}

export function refusalOr<T>(run: () => T): T | Refusal {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** What was not refused. */
export function accepted<T>(read: readonly (T | Refusal)[]): T[] {
  return read.flatMap((one) => (one instanceof Refusal ? [] : [one]));
}

/** The outcomes of rows that were added, or refused. */
export function addedOutcomes(read: readonly ({ id: string } | Refusal)[]): Outcome[] {
  return read.map((one) => (one instanceof Refusal ? { status: "failed", refusal: one } : { status: "created", id: one.id }));
}

/** The owners that do not belong to the account, each with its refusal. */
export async function unknownOwners(
  { ctx, tx, account }: ImportBatch,
  owners: readonly (string | null | undefined)[],
): Promise<Map<string, Refusal>> {
  const refusals = new Map<string, Refusal>();
  for (const owner of new Set(owners.filter((one) => one != null))) {
    await refuseUnknownOwner(ctx, tx, account.id, owner).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      refusals.set(owner, error);
    });
  }
  return refusals;
}

async function unchangedRecords<Row, R extends VersionedRow>(
  kind: RowByRow<Row, R>,
  ctx: Context,
  tx: Tx,
  records: readonly { id: string; version: number }[],
): Promise<R[]> {
  const versions = new Map(records.map(({ id, version }) => [id, version]));
  const locked = await kind.lock(ctx, tx, [...versions.keys()]);
  return locked.filter((record) => record.deleted_at === null && versions.get(record.id) === editionOf(kind, record));
}

function editionOf<Row, R extends VersionedRow>(kind: RowByRow<Row, R>, record: R): number {
  return kind.edition?.(record) ?? record.version;
}

function refusedOutcome(error: unknown): Outcome {
  if (!(error instanceof Refusal)) throw error;
  return { status: "failed", refusal: error };
}
