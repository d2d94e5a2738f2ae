import type { RecordKind } from "../../../kernel/changes.ts";
import type { Refusal } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import type { RecordImage } from "./images.queries.ts";

export const IMPORT_MODES = ["create", "upsert", "update"] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

/** How the text of a cell is parsed. */
export type Reading = "text" | "trimmed" | "phone" | "list" | "integer" | "object";

export type ImportField = {
  name: string;
  reading: Reading;
  /** Other column names that are mapped to it, in lower case letters and digits. */
  synonyms?: readonly string[];
};

/** The context of the rows that are imported in one transaction. */
export type ImportBatch = { ctx: Context; tx: Tx; account: Account; mode: ImportMode; dry_run: boolean };

/** The outcome of a row; in a dry run, the outcome that it would have. */
export type Outcome =
  | { status: "created"; id: string }
  /** Without an image where an earlier row of the same transaction created the record. */
  | { status: "updated"; image: RecordImage | null }
  | { status: "unchanged" }
  | { status: "failed"; refusal: Refusal };

/** How a resource is imported. */
export type Importable = {
  resource: RecordKind;
  fields: readonly ImportField[];
  /** Fields that a file must have a column for: one of each group. */
  required: Record<ImportMode, readonly (readonly string[])[]>;
  /** Imports rows and returns their outcomes in the same order. A refused row does not affect the others. */
  apply(batch: ImportBatch, inputs: readonly object[]): Promise<Outcome[]>;
  /** The identities of a new record, to match later rows of a dry run with it. */
  identities(batch: ImportBatch, input: object): string[];
  /** Deletes the records that still have the version, and returns their ids. */
  remove(ctx: Context, tx: Tx, records: readonly { id: string; version: number }[]): Promise<string[]>;
  /** Restores the records that still have the version of their image, and returns their ids. */
  restore(ctx: Context, tx: Tx, images: readonly RecordImage[]): Promise<string[]>;
};
