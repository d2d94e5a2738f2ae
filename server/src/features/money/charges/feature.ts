import type { Feature } from "../../../platform/feature.ts";
import { chargeListAdminRoutes, chargeRoutes } from "./list.routes.ts";
import { chargeReportRoutes } from "./report.routes.ts";
import { simulationAdminRoutes, simulationRoutes } from "./simulate/routes.ts";

export const feature: Feature = {
  name: "money/charges",
  uses: ["accounts/clients", "programme/rules", "money/ledger", "money/commissions"],
  reads: ["accounts/clients", "money/ledger", "money/commissions"],
  tags: { charges: "What clients paid", operator_charges: "What clients paid, of all partners" },
  partner_routes: [...chargeRoutes, ...simulationRoutes],
  operator_routes: [...chargeListAdminRoutes, ...chargeReportRoutes, ...simulationAdminRoutes],
};
