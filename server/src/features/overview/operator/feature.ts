import type { Feature } from "../../../platform/feature.ts";
import { operatorOverviewRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "overview/operator",
  uses: ["accounts/clients", "money/payouts", "outbox/audit-log", "programme/operators"],
  reads: ["accounts/clients", "outbox/webhooks", "programme/partners", "crm/deals", "snapshots/marketplace"],
  tags: { operator_overview: "The programme at a glance, for the operator" },
  operator_routes: operatorOverviewRoutes,
};
