import type { Feature } from "../../../platform/feature.ts";
import { certificationAdminRoutes, certificationRoutes } from "./certifications/routes.ts";
import { standingJobs } from "./jobs.ts";
import { standingAdminRoutes, standingRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "money/standing",
  uses: ["programme/operators", "programme/tiers", "programme/partners"],
  reads: ["accounts/clients", "money/commissions"],
  tags: { certification_grants: "The certifications of partners" },
  partner_routes: [...standingRoutes, ...certificationRoutes],
  operator_routes: [...standingAdminRoutes, ...certificationAdminRoutes],
  jobs: standingJobs,
};
