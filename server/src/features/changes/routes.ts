import { type Route, route } from "../../platform/http/route.ts";
import { readChanges } from "./commands.ts";
import { ChangeFeed, ChangeFeedQuery } from "./schema.ts";

export const changeRoutes: Route[] = [
  route({
    operation: "changes.list",
    method: "GET",
    path: "/changes",
    summary: "Follow what changes in the accounts, oldest first",
    description:
      "Shows the records that the key may read. Each change names the record and its version; the record itself is read by its id.",
    scope: "events:read",
    partner_wide: false,
    params: {},
    query: ChangeFeedQuery,
    errors: ["cursor_expired"],
    reply: { status: 200, schema: ChangeFeed },
    handle: (ctx, { query }) => readChanges(ctx, query),
  }),
];
