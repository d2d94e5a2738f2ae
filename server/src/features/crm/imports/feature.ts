import type { Feature } from "../../../platform/feature.ts";
import { importJobs } from "./jobs.ts";
import { importRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/imports",
  uses: ["accounts/clients", "accounts/custom-fields", "crm/records", "crm/timeline", "crm/contacts", "crm/deals", "crm/leads"],
  reads: [],
  tags: { imports: "Imports of records from CSV files: progress, errors and revert" },
  general_routes: importRoutes,
  jobs: importJobs,
};
