import type { Feature } from "../../../platform/feature.ts";
import { contactJobs } from "./jobs.ts";
import { contactRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/contacts",
  uses: ["accounts/clients", "accounts/custom-fields", "crm/records", "crm/timeline"],
  reads: ["accounts/clients"],
  tags: { contacts: "The people that an account deals with" },
  general_routes: contactRoutes,
  jobs: contactJobs,
};
