import type { Feature } from "../../../platform/feature.ts";
import { registrationJobs } from "./registration/jobs.ts";
import { registrationAdminRoutes } from "./registration/review.routes.ts";
import { registrationRoutes } from "./registration/routes.ts";
import { dealRoutes, partnerDealRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/deals",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "accounts/pipelines",
    "programme/operators",
    "crm/records",
    "crm/timeline",
    "crm/contacts",
  ],
  reads: ["accounts/clients", "accounts/pipelines", "crm/contacts"],
  tags: {
    deals: "What an account tries to sell, and where it stands",
    partner_deals: "The partner's own sales, with the deals of its clients",
    registrations: "Partner sales: which companies are free, and, for the operator, which sales are approved",
  },
  partner_routes: [...partnerDealRoutes, ...registrationRoutes],
  general_routes: dealRoutes,
  operator_routes: registrationAdminRoutes,
  jobs: registrationJobs,
};
