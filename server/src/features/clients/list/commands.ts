import type { Context } from "../../../platform/record/context.ts";
import { clientsPage } from "./queries.ts";
import type { ClientListQuery } from "./schema.ts";

export function listClients(ctx: Context, query: ClientListQuery): Promise<{ json: string }> {
  return clientsPage(ctx.db, ctx.scope, query);
}
