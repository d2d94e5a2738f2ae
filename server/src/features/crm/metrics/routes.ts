import { type Route, route } from "../../../platform/http/route.ts";
import { dealMetrics } from "./queries.ts";
import { Metrics, MetricsQuery } from "./schema.ts";

export const metricsRoutes: Route[] = [
  route({
    operation: "partner_deals.metrics",
    method: "GET",
    path: "/deals/metrics",
    summary: "Get deal metrics",
    description:
      "The number and value of deals by stage, month, client or owner, of all deals that the key may see, without deleted ones. The row of a client has the sales to it and the deals of its account. The row of a month counts deals created in it, and wins and losses that happened in it.",
    scope: "deals:read",
    partner_wide: false,
    params: {},
    query: MetricsQuery,
    exportable: true,
    reply: { status: 200, schema: Metrics },
    handle: async (ctx, { query }) => ({ json: await dealMetrics(ctx.db, ctx.scope, query.group_by ?? "stage", query) }),
  }),
];
