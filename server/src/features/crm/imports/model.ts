import { type Fault, fail } from "../../../kernel/errors.ts";
import { readWrittenPhone } from "../../../kernel/phone.ts";
import { unguard } from "../../../platform/http/csv.ts";
import type { CustomField } from "../../accounts/custom-fields/index.ts";
import type { Importable, ImportMode, Reading } from "../records/index.ts";

export const BYTES_MAX = 100 * 1024 * 1024;
export const ROWS_MAX = 1_000_000;
export const COLUMNS_MAX = 200;
export const CELL_CHARACTERS_MAX = 64 * 1024;
export const COLUMN_NAME_MAX = 200;
/** How many imports of a partner may be waiting or under way. */
export const ACTIVE_MAX = 20;
/** How long an import can be reverted, and its errors are kept. */
export const KEEP_DETAILS_MS = 30 * 86_400_000;

export const STATUSES = ["queued", "running", "completed", "cancelled", "failed", "reverting", "reverted"] as const;
export type Status = (typeof STATUSES)[number];

/** What is still to come to an end. */
export const ACTIVE: readonly Status[] = ["queued", "running", "reverting"];
export const CANCELLABLE: readonly Status[] = ["queued", "running"];
export const REVERTIBLE: readonly Status[] = ["completed", "cancelled", "failed"];

/** The field that each column is for, by the column's name; null for none. */
export type Mapping = Record<string, string | null>;

/** How a file is read. */
export type Plan = { delimiter: string; columns: string[]; mapping: Mapping; default_country: string | null };

const CUSTOM = "custom.";
/** A column that our own list of failed rows adds: it is for whoever mends them. */
export const ERROR_COLUMN = "error";

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** The field that each column is for: the one asked for, else the one with its name. */
export function mapColumns(
  kind: Importable,
  custom: readonly CustomField[],
  columns: readonly string[],
  asked: Mapping | undefined,
): Mapping {
  const targets = new Set([...kind.fields.map(({ name }) => name), "custom", ...custom.map(({ key }) => CUSTOM + key)]);
  checkMapping(columns, targets, asked ?? {});
  const byName = new Map<string, string>();
  for (const { key } of custom) for (const name of [key, CUSTOM + key]) byName.set(plain(name), CUSTOM + key);
  byName.set("custom", "custom");
  for (const { name, synonyms = [] } of kind.fields) for (const one of [...synonyms, name]) byName.set(plain(one), name);
  const mapping: Mapping = {};
  const taken = new Set(Object.values(asked ?? {}));
  for (const column of columns) {
    if (column in mapping) continue;
    const found = asked !== undefined && Object.hasOwn(asked, column) ? asked[column] : (byName.get(plain(column)) ?? null);
    const free = found !== undefined && found !== null && (asked?.[column] === found || !taken.has(found));
    mapping[column] = free ? found : null;
    if (free) taken.add(found);
  }
  return mapping;
}

function checkMapping(columns: readonly string[], targets: ReadonlySet<string>, asked: Mapping): void {
  const faults: Fault[] = [];
  const refuse = (code: string, detail: string) => faults.push({ in: "query", pointer: "#/mapping", code, detail });
  const seen = new Set<string>();
  for (const [column, field] of Object.entries(asked)) {
    if (!columns.includes(column)) refuse("unknown_column", `The file has no column ${column.slice(0, 100)}.`);
    if (field === null) continue;
    if (!targets.has(field))
      refuse("unknown_field", `${field.slice(0, 100)} is not a field: there are ${[...targets].join(", ")}.`);
    if (seen.has(field)) refuse("mapped_twice", `Two columns are for ${field}.`);
    seen.add(field);
  }
  const detail = faults.length === 1 ? (faults[0]?.detail ?? "") : `${faults.length} columns need attention.`;
  if (faults.length > 0) fail("invalid_parameter", { detail, faults: faults.slice(0, 50) });
}

/** Refuses a file that lacks a column which every row needs. */
export function requireColumns(kind: Importable, mode: ImportMode, mapping: Mapping): void {
  const mapped = new Set(Object.values(mapping));
  const missing = kind.required[mode].find((group) => !group.some((field) => mapped.has(field)));
  if (missing === undefined) return;
  fail("invalid_csv", {
    detail: `No column is for ${missing.join(", ").replace(/, ([^,]*)$/, " or $1")}. Name it so, or say which it is in mapping.`,
    meta: { missing_fields: missing },
  });
}

/** What is wrong with a cell. */
export type CellFault = { column: string | null; code: string; detail: string; value: string | null };

/** Reads rows into what a kind of record takes. */
export function createRowReader(kind: Importable, custom: readonly CustomField[], plan: Plan) {
  const readings = new Map<string, Reading>(kind.fields.map(({ name, reading }) => [name, reading]));
  const types = new Map(custom.map(({ key, type }) => [key, type]));
  const targets = plan.columns.map((column, index) =>
    plan.columns.indexOf(column) === index ? (plan.mapping[column] ?? null) : null,
  );

  return (cells: readonly string[]): { input: Record<string, unknown>; faults: CellFault[] } => {
    const input: Record<string, unknown> = {};
    const own: Record<string, unknown> = {};
    const faults: CellFault[] = [];
    if (cells.length !== plan.columns.length) {
      const detail = `The row has ${cells.length} cells and the file ${plan.columns.length} columns.`;
      return { input, faults: [{ column: null, code: "wrong_cell_count", detail, value: null }] };
    }
    for (const [index, target] of targets.entries()) {
      const cell = cells[index] ?? "";
      if (target === null || cell === "") continue;
      const column = plan.columns[index] ?? null;
      if (cell.length > CELL_CHARACTERS_MAX) {
        faults.push({
          column,
          code: "cell_too_long",
          detail: `A cell has at most ${CELL_CHARACTERS_MAX} characters.`,
          value: cell.slice(0, 200),
        });
        continue;
      }
      if (target.startsWith(CUSTOM)) {
        const key = target.slice(CUSTOM.length);
        own[key] = customValue(types.get(key), cell);
      } else if (target === "custom") Object.assign(own, objectIn(cell) ?? fault(faults, column, cell));
      else input[target] = read(readings.get(target) ?? "text", cell, plan.default_country);
    }
    if (Object.keys(own).length > 0) input.custom = own;
    return { input, faults };
  };
}

function fault(faults: CellFault[], column: string | null, cell: string): object {
  faults.push({ column, code: "not_an_object", detail: "custom must be a JSON object.", value: cell.slice(0, 200) });
  return {};
}

function read(reading: Reading, cell: string, country: string | null): unknown {
  if (reading === "phone") return readWrittenPhone(cell, country).phone ?? cell;
  if (reading === "list") return listIn(cell);
  if (reading === "integer") return /^-?\d{1,16}$/.test(cell.trim()) ? Number(cell) : cell;
  if (reading === "object") return objectIn(cell) ?? cell;
  return reading === "trimmed" ? cell.trim() : cell;
}

/** A list as our exports write it: joined by semicolons, or as JSON. */
function listIn(cell: string): string[] {
  const json = cell.startsWith("[") ? parsed(cell) : undefined;
  if (Array.isArray(json) && json.every((item) => typeof item === "string")) return json;
  const items = cell.split(";").map((item) => item.trim());
  return [...new Set(items.filter((item) => item !== ""))];
}

export function objectIn(cell: string): Record<string, unknown> | null {
  const json = parsed(cell);
  return json !== null && typeof json === "object" && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const TRUE = new Set(["true", "yes", "y", "1"]);
const FALSE = new Set(["false", "no", "n", "0"]);

/** What does not fit stays text, and is refused as such where values are checked. */
function customValue(type: CustomField["type"] | undefined, cell: string): unknown {
  const text = cell.trim();
  if (type === "number") return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : cell;
  if (type === "boolean") return TRUE.has(text.toLowerCase()) || (FALSE.has(text.toLowerCase()) ? false : cell);
  if (type === "multi_select") return listIn(cell);
  return type === "text" || type === undefined ? cell : text;
}

/** The cells of a row as they were meant, without the marks that keep spreadsheets from running them. */
export function meantCells(cells: readonly string[]): string[] {
  return cells.map(unguard);
}
