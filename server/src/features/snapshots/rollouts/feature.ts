import type { Feature } from "../../../platform/feature.ts";
import { rolloutRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "snapshots/rollouts",
  uses: ["accounts/clients", "snapshots/catalogue", "snapshots/deployments"],
  reads: ["accounts/clients", "snapshots/deployments"],
  tags: { rollouts: "Deployments of a snapshot to many clients: progress, halt, retry and rollback" },
  partner_routes: rolloutRoutes,
};
