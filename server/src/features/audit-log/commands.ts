import { notFound } from "../../kernel/errors.ts";
import { firstIdAtTime } from "../../kernel/ids.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../kernel/page.ts";
import type { Context } from "../../platform/record/context.ts";
import { entriesPage, entryOrNull, operatorEntriesPage } from "./queries.ts";
import type { AuditListQuery, OperatorAuditListQuery } from "./schema.ts";

export async function getEntry(ctx: Context, id: string) {
  return (await entryOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export async function listEntries(ctx: Context, query: AuditListQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, created_after, created_before, ...filter } = query;
  const list = listIdentity("audit-log", { ...filter, created_after, created_before });
  const position = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await entriesPage(ctx.db, ctx.scope, {
    ...filter,
    from_id: created_after === undefined ? null : firstIdAtTime("audit", created_after),
    before_id: position ?? (created_before === undefined ? null : firstIdAtTime("audit", created_before)),
    limit,
  });
  return { json: pageJson(rows, limit, ({ id }) => encodeCursor(list, [id])) };
}

/** What happened in every partner's log and in the operator's own. */
export async function listAllEntries(ctx: Context, query: OperatorAuditListQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, created_after, created_before, ...filter } = query;
  const list = listIdentity("operator-audit-log", { ...filter, created_after, created_before });
  const position = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await operatorEntriesPage(ctx.db, {
    ...filter,
    from_id: created_after === undefined ? null : firstIdAtTime("audit", created_after),
    before_id: position ?? (created_before === undefined ? null : firstIdAtTime("audit", created_before)),
    limit,
  });
  return { json: pageJson(rows, limit, ({ id }) => encodeCursor(list, [id])) };
}
