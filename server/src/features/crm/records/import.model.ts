import type { Resource } from "../../../kernel/changes.ts";
import type { Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";

export const IMPORT_MODES = ["create", "upsert", "update"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** How the text of a cell becomes a value. */
export type Reading = "text" | "trimmed" | "phone" | "list" | "integer" | "object";

export type ImportField = {
  name: string;
  reading: Reading;
  /** Other names that a column of it may have, written small and without signs. */
  synonyms?: readonly string[];
};

/** Rows of a file that are written in one transaction. */
export type ImportBatch = { ctx: Context; tx: Tx; account: Account; mode: ImportMode; dry_run: boolean };

/** A record as it was before an import, and the version that the import left it with. */
export type Image = { record_id: string; version: number; before: object };

/** What became, or in a dry run would become, of a row. */
export type Outcome =
  | { status: "created"; id: string }
  /** Without an image where an earlier row of the same transaction made the record. */
  | { status: "updated"; image: Image | null }
  | { status: "unchanged" }
  | { status: "failed"; refusal: Refusal };

/** What a kind of record offers to be imported. */
export type Importable = {
  resource: Resource;
  fields: readonly ImportField[];
  /** Fields that a file must have a column for; one of each group is enough. */
  required: Record<ImportMode, readonly (readonly string[])[]>;
  /** Does to each row what its mode says, and tells what became of each, in their order. One that is refused undoes nothing of the others. */
  apply(batch: ImportBatch, inputs: readonly object[]): Promise<Outcome[]>;
  /** What tells a new record from others, for rows of a dry run that are about one that an earlier row would have made. */
  identities(batch: ImportBatch, input: object): string[];
  /** Deletes the records that are still at the version given, and says which. */
  remove(ctx: Context, tx: Tx, records: readonly { id: string; version: number }[]): Promise<string[]>;
  /** Puts records back as they were that are still at the version given, and says which. */
  restore(ctx: Context, tx: Tx, images: readonly Image[]): Promise<string[]>;
};
