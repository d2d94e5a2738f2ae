import { notFound } from "../../../kernel/errors.ts";
import { readableTypes } from "../../../kernel/events.ts";
import { timeOfId } from "../../../kernel/ids.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../../kernel/page.ts";
import type { Context } from "../../../platform/record/context.ts";
import { clientOrNull } from "../queries.ts";
import { type ActivityRow, activityPage } from "./queries.ts";
import type { ActivityQuery } from "./schema.ts";

/** What happened to a client and what was done to it, newest first. Events of resources that the key may not read are left out. */
export async function listActivity(ctx: Context, id: string, query: ActivityQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor } = query;
  if ((await clientOrNull(ctx.db.byKey, ctx.scope, id)) === null) notFound(id);
  const list = listIdentity("client-activity", { id });
  const after = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await activityPage(ctx.db, ctx.scope, { client_id: id, types: readableTypes(ctx.principal), after, limit });
  const items = rows.map((row) => ({ place: row.place, json: itemJson(row) }));
  return { json: pageJson(items, limit, ({ place }) => encodeCursor(list, [place])) };
}

function itemJson({ id, name, data }: ActivityRow): string {
  const type = id.startsWith("evt_") ? "event" : "audit";
  const head = JSON.stringify({ type, id, at: new Date(timeOfId(id)).toISOString(), name });
  return `${head.slice(0, -1)},"data":${data}}`;
}
