import { notFound } from "../../kernel/errors.ts";
import { firstIdAt } from "../../kernel/ids.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../kernel/page.ts";
import type { Context } from "../../platform/record/context.ts";
import { entriesPage, entryOrNull } from "./queries.ts";
import type { AuditListQuery } from "./schema.ts";

export async function getEntry(ctx: Context, id: string) {
  return (await entryOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export async function listEntries(ctx: Context, query: AuditListQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, created_after, created_before, ...filter } = query;
  const list = listIdentity("audit-log", { ...filter, created_after, created_before });
  const position = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await entriesPage(ctx.db, ctx.scope, {
    ...filter,
    from_id: created_after === undefined ? null : idBound(created_after),
    before_id: position ?? (created_before === undefined ? null : idBound(created_before)),
    limit,
  });
  return { json: pageJson(rows, limit, ({ id }) => encodeCursor(list, [id])) };
}

/** Times before the epoch or past what an id can hold are clamped: no entry is there anyway. */
function idBound(time: string): string {
  return firstIdAt("audit", Math.min(Math.max(Date.parse(time), 0), 2 ** 48 - 1));
}
