import { notFound } from "../../../kernel/errors.ts";
import { firstIdAt, firstIdAtTime, timeOfId } from "../../../kernel/ids.ts";
import { listIdentity, pageById } from "../../../kernel/page.ts";
import type { Context } from "../../../platform/record/context.ts";
import { type AuditFilter, entriesPage, entryOrNull, operatorEntriesPage } from "./queries.ts";
import type { AuditListQuery, OperatorAuditListQuery } from "./schema.ts";

/** Longer than any request runs. */
const REQUEST_WITHIN_MS = 60_000;
const DAY_MS = 86_400_000;

export async function getEntry(ctx: Context, id: string) {
  return (await entryOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function listEntries(ctx: Context, query: AuditListQuery): Promise<{ json: string }> {
  return listPage(ctx, "audit-log", query, (filter) => entriesPage(ctx.db, ctx.scope, filter));
}

/** The logs of all partners and of the operator. */
export function listAllEntries(ctx: Context, query: OperatorAuditListQuery): Promise<{ json: string }> {
  return listPage(ctx, "operator-audit-log", query, (filter) => operatorEntriesPage(ctx.db, filter));
}

/** The newest that anybody did, without the comings and goings of the operator's own people. */
export function newestActions(ctx: Context, limit: number): Promise<{ json: string }> {
  const query = { limit, counted: false };
  return listPage(ctx, "operator-audit-log", query, (filter) => operatorEntriesPage(ctx.db, { ...filter, own_sessions: false }));
}

function listPage<Query extends AuditListQuery>(
  ctx: Context,
  name: string,
  query: Query,
  read: (filter: Query & AuditFilter) => Promise<{ id: string; json: string }[]>,
): Promise<{ json: string }> {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  return pageById(listIdentity(name, filters), query, (after, limit) =>
    read({ ...query, ...rangeOf(query, after, ctx.clock.now()), limit }),
  );
}

/** The range of ids to search. The id of a request has its time, and its entries were recorded soon after. */
function rangeOf({ created_after, created_before, request_id }: AuditListQuery, after: string | null, now: Date) {
  const requested_ms = request_id === undefined ? null : timeOfId(request_id);
  const lower = [
    created_after === undefined ? null : firstIdAtTime("audit", created_after),
    requested_ms === null ? null : firstIdAt("audit", requested_ms),
  ];
  const upper = [
    after,
    // No entry is in the future: partitions of later months need not be searched.
    firstIdAt("audit", now.getTime() + DAY_MS),
    created_before === undefined ? null : firstIdAtTime("audit", created_before),
    requested_ms === null ? null : firstIdAt("audit", Math.min(requested_ms + REQUEST_WITHIN_MS, 2 ** 48 - 1)),
  ];
  return {
    from_id:
      lower
        .filter((id) => id !== null)
        .sort()
        .at(-1) ?? null,
    before_id: upper.filter((id) => id !== null).sort()[0] ?? "",
  };
}
