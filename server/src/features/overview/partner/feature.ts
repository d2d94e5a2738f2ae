import type { Feature } from "../../../platform/feature.ts";
import { overviewRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "overview/partner",
  uses: ["accounts/clients", "crm/deals"],
  reads: [
    "accounts/clients",
    "accounts/pipelines",
    "outbox/webhooks",
    "crm/deals",
    "crm/imports",
    "agents/definitions",
    "agents/sessions",
  ],
  tags: { overview: "The partner's business at a glance" },
  partner_routes: overviewRoutes,
};
