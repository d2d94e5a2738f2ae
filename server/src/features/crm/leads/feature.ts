import type { Feature } from "../../../platform/feature.ts";
import { leadJobs } from "./jobs.ts";
import { leadRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/leads",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "accounts/pipelines",
    "crm/records",
    "crm/timeline",
    "crm/contacts",
    "crm/deals",
  ],
  reads: ["accounts/clients", "crm/contacts", "crm/deals"],
  tags: { leads: "People of interest: where they came from, how they score, and what becomes of them" },
  general_routes: leadRoutes,
  jobs: leadJobs,
};
