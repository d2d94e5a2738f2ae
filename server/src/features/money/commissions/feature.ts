import type { Feature } from "../../../platform/feature.ts";
import { commissionJobs } from "./jobs.ts";
import { commissionAdminRoutes } from "./operator.routes.ts";
import { commissionListAdminRoutes, commissionRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "money/commissions",
  uses: ["accounts/clients", "programme/rules", "money/ledger"],
  reads: ["accounts/clients", "money/ledger"],
  tags: { commissions: "What the partner earns by its sales", operator_commissions: "The commissions of partners" },
  partner_routes: commissionRoutes,
  operator_routes: [...commissionListAdminRoutes, ...commissionAdminRoutes],
  jobs: commissionJobs,
};
