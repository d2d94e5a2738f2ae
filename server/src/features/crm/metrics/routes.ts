import { type Route, route } from "../../../platform/http/route.ts";
import { dealMetrics } from "./queries.ts";
import { Metrics, MetricsQuery } from "./schema.ts";

export const metricsRoutes: Route[] = [
  route({
    operation: "partner_deals.metrics",
    method: "GET",
    path: "/deals/metrics",
    summary: "Count deals and their value, by stage, month, client or owner",
    description:
      "Of the deals that the key may see and that are not deleted. A client's row has the sales to it and the deals in its account. A month's row counts deals where they were created, and wins and losses where they happened.",
    scope: "deals:read",
    partner_wide: false,
    params: {},
    query: MetricsQuery,
    reply: { status: 200, schema: Metrics },
    handle: async (ctx, { query }) => ({ json: await dealMetrics(ctx.db, ctx.scope, query.group_by ?? "stage", query) }),
  }),
];
