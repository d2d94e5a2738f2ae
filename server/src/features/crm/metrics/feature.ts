import type { Feature } from "../../../platform/feature.ts";
import { metricsRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/metrics",
  uses: [],
  reads: [],
  partner_routes: metricsRoutes,
};
