import { firstIdAtTime } from "../../../kernel/ids.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../../kernel/page.ts";
import type { Context } from "../../../platform/record/context.ts";
import { clientsPage } from "./queries.ts";
import type { ClientListQuery, ClientSort } from "./schema.ts";

/** What a cursor holds besides the id of the last row. */
const HELD: Record<ClientSort, readonly ("string" | "number")[]> = {
  "-created_at": [],
  created_at: [],
  company: ["string"],
  "-company": ["string"],
  "-updated_at": ["number"],
};
/** The end of the year 9999: later times come only from forged cursors. */
const TIME_MAX_MS = 253_402_300_799_999;

export async function listClients(ctx: Context, query: ClientListQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, sort = "-created_at", include_house = false, ...given } = query;
  const { created_after, created_before, ...filter } = given;
  const list = listIdentity("clients", { sort, include_house, ...given });
  const rows = await clientsPage(ctx.db, ctx.scope, {
    ...filter,
    sort,
    include_house,
    from_id: created_after === undefined ? null : firstIdAtTime("client", created_after),
    before_id: created_before === undefined ? null : firstIdAtTime("client", created_before),
    after: cursor === undefined ? null : decodeCursor(list, cursor, [...HELD[sort], "string"]).map(positionOf),
    limit,
  });
  return { json: pageJson(rows, limit, ({ held, id }) => encodeCursor(list, held === null ? [id] : [held, id])) };
}

function positionOf(value: string | number): string | Date {
  return typeof value === "string" ? value : new Date(Math.min(Math.max(value, 0), TIME_MAX_MS));
}
