import type { Feature } from "../../../platform/feature.ts";
import { importJobs } from "./jobs.ts";
import { importRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/imports",
  uses: ["accounts/clients", "accounts/custom-fields", "crm/records", "crm/timeline", "crm/contacts", "crm/deals", "crm/leads"],
  reads: [],
  tags: { imports: "Files of records that are taken in: their progress, their errors, and the way back" },
  general_routes: importRoutes,
  jobs: importJobs,
};
