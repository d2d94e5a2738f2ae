import type { Feature } from "../../../platform/feature.ts";
import { leadJobs } from "./jobs.ts";
import { leadRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/leads",
  uses: [
    "accounts/clients",
    "accounts/configuring",
    "accounts/custom-fields",
    "accounts/pipelines",
    "money/links",
    "crm/records",
    "crm/timeline",
    "crm/contacts",
    "crm/deals",
  ],
  reads: ["accounts/clients", "crm/contacts", "crm/deals"],
  tags: { leads: "Leads: their sources, scores and conversion" },
  general_routes: leadRoutes,
  jobs: leadJobs,
};
