import type { Feature } from "../../../platform/feature.ts";
import { dealJobs } from "./jobs.ts";
import { registrationAdminRoutes } from "./registration/review.routes.ts";
import { registrationRoutes } from "./registration/routes.ts";
import { dealRoutes, partnerDealRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/deals",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "accounts/pipelines",
    "accounts/plans",
    "money/charges",
    "money/standing",
    "money/links",
    "crm/records",
    "crm/timeline",
    "crm/contacts",
  ],
  reads: ["accounts/clients", "accounts/pipelines", "crm/contacts"],
  tags: {
    deals: "Deals, their stages and history, and pipeline boards",
    partner_deals: "The partner's own sales, and the deals of its clients",
    registrations: "Registration of sales: company checks, and review by the operator",
  },
  partner_routes: [...partnerDealRoutes, ...registrationRoutes],
  general_routes: dealRoutes,
  operator_routes: registrationAdminRoutes,
  jobs: dealJobs,
};
