import { type Route, route } from "../../../platform/http/route.ts";
import { getOverview } from "./commands.ts";
import { Overview } from "./schema.ts";

export const overviewRoutes: Route[] = [
  route({
    operation: "overview.get",
    method: "GET",
    path: "/overview",
    summary: "Get an overview of the business",
    description:
      "Clients and their monthly revenue, the deals of the house account, what needs attention, and what happened last. A part is absent where the key lacks its scope: clients:read, deals:read, webhooks:read, keys:read, contacts:read for imports, agents:read for approvals, events:read; audit:read for actors.",
    scope: "account:read",
    partner_wide: true,
    params: {},
    reply: { status: 200, schema: Overview },
    handle: (ctx) => getOverview(ctx),
  }),
];
