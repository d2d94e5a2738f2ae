import { hash } from "node:crypto";
import { fail } from "./errors.ts";
import { textFault } from "./storable.ts";

export const LIMIT_DEFAULT = 25;
export const LIMIT_MAX = 100;

/**
 * A cursor holds the sort values of the last row of a page. It grants nothing, so it is not signed: access is checked
 * again on every page. It is bound to its list, because another filter or sort gives the same position another meaning.
 */
export function encodeCursor(list: string, position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([digest(list), ...position])).toString("base64url");
}

/** The position that a cursor holds; `400 invalid_cursor` when the cursor belongs to another list. */
export function decodeCursor(list: string, cursor: string, types: readonly ("string" | "number")[]): (string | number)[] {
  const parts = parse(cursor);
  const [owner, ...position] = parts ?? [];
  if (owner === undefined) fail("invalid_cursor", { detail: "The cursor cannot be read. Send next_cursor unchanged." });
  if (owner !== digest(list)) {
    fail("invalid_cursor", { detail: "The cursor belongs to another list, filter or sort. Start again without a cursor." });
  }
  const fits = position.length === types.length && position.every((value, index) => isPosition(value, types[index]));
  if (!fits) fail("invalid_cursor", { detail: "The cursor cannot be read. Send next_cursor unchanged." });
  return position as (string | number)[];
}

/** Whether a cursor belongs to a list. */
export function isCursorOf(list: string, cursor: string): boolean {
  return parse(cursor)?.[0] === digest(list);
}

function parse(cursor: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** A forged position must not reach the database as a value that it cannot store. */
function isPosition(value: unknown, type: "string" | "number" | undefined): boolean {
  if (type === "number") return Number.isSafeInteger(value);
  return typeof value === "string" && textFault(value) === null;
}

type Paging = { limit?: number | undefined; cursor?: string | undefined };

/** A page of a list with its own statement: `read` returns up to `limit + 1` rows after a position; null is the start. */
export async function pageOf<Row extends { json: string }>(
  list: string,
  { limit = LIMIT_DEFAULT, cursor }: Paging,
  types: readonly ("string" | "number")[],
  read: (position: (string | number)[] | null, limit: number) => Promise<Row[]>,
  positionOf: (last: Row) => readonly (string | number)[],
): Promise<{ json: string }> {
  const rows = await read(cursor === undefined ? null : decodeCursor(list, cursor, types), limit);
  return { json: pageJson(rows, limit, (last) => encodeCursor(list, positionOf(last))) };
}

/** A page of a list in the order of ids: `read` returns up to `limit + 1` rows after an id, null for the start. */
export function pageById<Row extends { id: string; json: string }>(
  list: string,
  paging: Paging,
  read: (after: string | null, limit: number) => Promise<Row[]>,
): Promise<{ json: string }> {
  const readAfter = (position: (string | number)[] | null, limit: number) =>
    read(position === null ? null : String(position[0]), limit);
  return pageOf(list, paging, ["string"], readAfter, ({ id }) => [id]);
}

/** A page from up to `limit + 1` rows, concatenated as text because the rows are JSON already. A row may have several items, or none. */
export function pageJson<Row extends { json: string }>(rows: Row[], limit: number, cursorOf: (last: Row) => string): string {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const items = shown.map(({ json }) => json).filter((json) => json !== "");
  const next = rows.length > limit && last !== undefined ? JSON.stringify(cursorOf(last)) : "null";
  return `{"data":[${items.join(",")}],"has_more":${next !== "null"},"next_cursor":${next}}`;
}

/** Identifies a list by its name, filters and sort, whatever the order of the parameters. */
export function listIdentity(name: string, filters: Record<string, unknown>): string {
  const present = Object.entries(filters).filter(([, value]) => value !== undefined);
  return `${name}?${JSON.stringify(present.sort(([a], [b]) => (a < b ? -1 : 1)))}`;
}

function digest(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 8);
}
