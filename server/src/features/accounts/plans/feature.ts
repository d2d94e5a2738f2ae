import type { Feature } from "../../../platform/feature.ts";
import { planAdminRoutes, planRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/plans",
  uses: [],
  reads: [],
  tags: { plans: "Plans that partners sell", operator_plans: "Plans of the programme, for the operator" },
  partner_routes: planRoutes,
  operator_routes: planAdminRoutes,
};
