import type { Feature } from "../../../platform/feature.ts";
import { linkJobs } from "./jobs.ts";
import { linkAdminRoutes } from "./operator.routes.ts";
import { linkRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "money/links",
  uses: ["accounts/clients"],
  reads: ["money/commissions"],
  tags: {
    affiliate_links: "Links that the partner shares, and what came by them",
    operator_affiliate_links: "The links of all partners",
  },
  partner_routes: linkRoutes,
  operator_routes: linkAdminRoutes,
  jobs: linkJobs,
};
