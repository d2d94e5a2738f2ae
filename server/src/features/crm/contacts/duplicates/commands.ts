import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity } from "../../../../kernel/page.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { pairsPage } from "./queries.ts";
import type { DuplicatesQuery } from "./schema.ts";

/** Pairs that are likely one person. A page tells those of the contacts it has looked at, which may be none. */
export async function listDuplicates(ctx: Context, query: DuplicatesQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, account_id } = query;
  const list = listIdentity("contact-duplicates", { account_id });
  const before = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await pairsPage(ctx.db, ctx.scope, query, before);
  const looked = [...new Set(rows.map(({ id }) => id))];
  const last = looked.length > limit ? looked[limit - 1] : undefined;
  const pairs = rows.flatMap(({ id, json }) => (json === null || (last !== undefined && id < last) ? [] : [json]));
  const next = last === undefined ? "null" : JSON.stringify(encodeCursor(list, [last]));
  return { json: `{"data":[${pairs.join(",")}],"has_more":${last !== undefined},"next_cursor":${next}}` };
}
