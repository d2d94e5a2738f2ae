import type { Feature } from "../../../platform/feature.ts";
import { pipelineRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/pipelines",
  uses: ["accounts/clients", "accounts/configuring", "accounts/custom-fields"],
  reads: [],
  tags: { pipelines: "Pipelines of deals, with their stages and rules" },
  general_routes: pipelineRoutes,
};
