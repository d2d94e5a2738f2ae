import type { Feature } from "../../../platform/feature.ts";
import { ruleAdminRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/rules",
  uses: ["accounts/plans", "programme/tiers"],
  reads: [],
  tags: { rules: "Commission rules: what sales earn, for the operator" },
  operator_routes: ruleAdminRoutes,
};
