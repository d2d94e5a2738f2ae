import { isTooDeep } from "../../../platform/http/body.ts";

export const BYTES_MAX = 100 * 1024 * 1024;
export const ROWS_MAX = 1_000_000;
export const COLUMNS_MAX = 200;
export const CELL_CHARACTERS_MAX = 64 * 1024;
export const COLUMN_NAME_MAX = 200;
/** How many queued or running imports a partner may have. */
export const ACTIVE_MAX = 20;
/** How long the errors of an import, and what its revert needs, are kept. */
export const KEEP_DETAILS_MS = 30 * 86_400_000;
/** How much of a cell an error quotes. */
const QUOTED_CHARACTERS = 200;
/** How many errors of a row are kept. */
export const FAULTS_MAX = 100;
/** The column that the file of failed rows adds. It is not imported. */
export const ERROR_COLUMN = "error";

export const STATUSES = ["queued", "running", "completed", "cancelled", "failed", "reverting", "reverted"] as const;
export type Status = (typeof STATUSES)[number];

export const ACTIVE: readonly Status[] = ["queued", "running", "reverting"];
export const CANCELLABLE: readonly Status[] = ["queued", "running"];
export const REVERTIBLE: readonly Status[] = ["completed", "cancelled", "failed"];

/** The field that each column is mapped to, by the name of the column; null where it is not imported. */
export type Mapping = Record<string, string | null>;

/** How a file is parsed. */
export type Plan = { delimiter: string; columns: string[]; mapping: Mapping; default_country: string | null };

/** An error in a row; without a column where the whole row is wrong. */
export type CellFault = { column: string | null; code: string; detail: string; value: string | null };

/** The beginning of a cell. A character that does not fit as a whole is replaced. */
export const quote = (cell: string) => cell.slice(0, QUOTED_CHARACTERS).toWellFormed();

/** The prefix of the fields that are custom fields. */
export const CUSTOM = "custom.";

/** The field that a column is mapped to. A column may have any name, also one that every object has. */
export function targetOf({ mapping }: Pick<Plan, "mapping">, column: string): string | null {
  return Object.hasOwn(mapping, column) ? (mapping[column] ?? null) : null;
}

export function parseObject(text: string): Record<string, unknown> | null {
  const json = parseJson(text);
  return json !== null && typeof json === "object" && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
}

/** The value of a JSON text; undefined where it is not JSON that a request may have. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
