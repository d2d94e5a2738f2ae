import { stringify } from "csv-stringify/sync";

type Schema = { type?: string; properties?: Record<string, Schema>; additionalProperties?: unknown; anyOf?: Schema[] };

/** The path of a cell in a row: `contact.name` is `["contact", "name"]`. */
export type Column = readonly string[];

/**
 * The columns of a row, from its schema: a nested object has a column for each of its members, unless it may have others,
 * too. The members of a union of objects have a column each.
 */
export function columnsOf(schema: Schema): Column[] {
  const [object, ...others] = objectsOf(schema);
  if (others.length > 0)
    return [...new Set(objectsOf(schema).flatMap((one) => Object.keys(one.properties ?? {})))].map((name) => [name]);
  return Object.entries(object?.properties ?? {}).flatMap(([name, member]) => {
    const [inner, ...more] = objectsOf(member);
    const nested = inner !== undefined && more.length === 0 && inner.additionalProperties !== true;
    return nested ? columnsOf(inner).map((column) => [name, ...column]) : [[name]];
  });
}

function objectsOf(schema: Schema): Schema[] {
  return [schema, ...(schema.anyOf ?? [])].filter(({ properties }) => properties !== undefined);
}

export function csvHeader(columns: readonly Column[]): string {
  return csvLines([columns.map((column) => column.join("."))]);
}

/** Lines of text cells, escaped against formulas. */
export function csvCells(lines: readonly string[][]): string {
  return csvLines(lines.map((line) => line.map(guard)));
}

export function csvRows(columns: readonly Column[], rows: readonly object[], guarded: boolean): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(valueAt(row, column))));
  return csvLines(guarded ? cells.map((line) => line.map(guard)) : cells);
}

/** The library quotes only its own line ending and comma, but readers also split at a lone CR, LF or semicolon. */
function csvLines(lines: readonly string[][]): string {
  return stringify([...lines], { record_delimiter: "\r\n", quoted_match: /[\r\n;]/ });
}

function valueAt(row: object, column: Column): unknown {
  let value: unknown = row;
  for (const name of column) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

/** A list is joined with semicolons, unless it could not be split again; everything else that is not scalar is JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const plain = Array.isArray(value) && value.every((item) => typeof item === "string" && !/[;[]/.test(item));
  return plain ? value.join(";") : JSON.stringify(value);
}

/** Text that a spreadsheet would run as a formula, and such text once escaped. */
const FORMULA = /^'*[\s\ufeff\u200b]*(?:[=@＝＠＋－\t\r\n]|[+-](?!(?:\d+(?:\.\d+)?|\.\d+)$))/;

/** Prefixes an apostrophe to text that would run as a formula. Numbers and phone numbers are unchanged. */
function guard(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The original text of an escaped cell. */
export function unguard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
