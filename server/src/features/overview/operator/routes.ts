import { operatorRoute, type Route } from "../../../platform/http/route.ts";
import { getOperatorOverview } from "./commands.ts";
import { OperatorOverview } from "./schema.ts";

export const operatorOverviewRoutes: Route[] = [
  operatorRoute({
    operation: "operator_overview.get",
    method: "GET",
    path: "/overview",
    summary: "Get an overview of the programme",
    description:
      "Partners, clients and their monthly revenue, what waits for a decision, endpoints that fail, the health of the installation, and the newest audit entries.",
    params: {},
    reply: { status: 200, schema: OperatorOverview },
    handle: (ctx) => getOperatorOverview(ctx),
  }),
];
