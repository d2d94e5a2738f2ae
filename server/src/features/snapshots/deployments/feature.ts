import type { Feature } from "../../../platform/feature.ts";
import { deploymentJobs } from "./jobs.ts";
import { deploymentRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "snapshots/deployments",
  uses: ["accounts/clients", "accounts/configuring", "accounts/custom-fields", "accounts/pipelines", "snapshots/catalogue"],
  reads: ["accounts/clients", "snapshots/catalogue"],
  tags: { deployments: "Versions of snapshots in the accounts of clients" },
  partner_routes: deploymentRoutes,
  jobs: deploymentJobs,
};
