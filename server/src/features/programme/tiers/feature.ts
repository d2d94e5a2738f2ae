import type { Feature } from "../../../platform/feature.ts";
import { certificationAdminRoutes } from "./certifications/routes.ts";
import { tierAdminRoutes, tierRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/tiers",
  uses: [],
  reads: [],
  tags: {
    tiers: "Tiers of the programme, with their requirements and benefits",
    operator_tiers: "Tiers of the programme, for the operator",
    certifications: "What partners can be certified in, for the operator",
  },
  partner_routes: tierRoutes,
  operator_routes: [...tierAdminRoutes, ...certificationAdminRoutes],
};
