import type { Feature } from "../../../platform/feature.ts";
import { metricsRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "crm/metrics",
  uses: ["crm/deals"],
  reads: ["accounts/clients", "accounts/pipelines", "crm/deals"],
  partner_routes: metricsRoutes,
};
