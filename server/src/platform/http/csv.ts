import { stringify } from "csv-stringify/sync";

type Schema = { type?: string; properties?: Record<string, Schema>; anyOf?: Schema[] };

/** Where a cell is found in a row: `contact.name` is `["contact", "name"]`. */
export type Column = readonly string[];

/** The cells of a row, from its schema: a thing with members of its own has a column for each of them. */
export function columnsOf(schema: Schema): Column[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const inner = [member, ...(member.anyOf ?? [])].find(({ properties }) => properties !== undefined);
    return inner === undefined ? [[name]] : columnsOf(inner).map((column) => [name, ...column]);
  });
}

export function csvHeader(columns: readonly Column[]): string {
  return csvLines([columns.map((column) => column.join("."))]);
}

/** Lines of cells that are text already, guarded. */
export function csvCells(lines: readonly string[][]): string {
  return csvLines(lines.map((line) => line.map(guard)));
}

export function csvRows(columns: readonly Column[], rows: readonly object[], guarded: boolean): string {
  const cells = rows.map((row) => columns.map((column) => cellOf(valueAt(row, column))));
  return csvLines(guarded ? cells.map((line) => line.map(guard)) : cells);
}

/** The library quotes its own line ending and comma only, but readers break at either half of it, and some at semicolons. */
function csvLines(lines: readonly string[][]): string {
  return stringify([...lines], { record_delimiter: "\r\n", quoted_match: /[\r\n;]/ });
}

function valueAt(row: object, column: Column): unknown {
  let value: unknown = row;
  for (const name of column) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

/** A list is joined by semicolons, unless that could not be taken apart again; what has no simple form is JSON. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const plain = Array.isArray(value) && value.every((item) => typeof item === "string" && !/[;[]/.test(item));
  return plain ? value.join(";") : JSON.stringify(value);
}

/** What a spreadsheet would take for a formula, and what such a text looks like once it is guarded. */
const FORMULA = /^'*[\s\ufeff\u200b]*(?:[=@＝＠＋－\t\r\n]|[+-](?!(?:\d+(?:\.\d+)?|\.\d+)$))/;

/** Puts an apostrophe before what would run as a formula. Numbers and phone numbers stay as they are. */
function guard(cell: string): string {
  return FORMULA.test(cell) ? `'${cell}` : cell;
}

/** The text that a guarded cell stands for. */
export function unguard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
