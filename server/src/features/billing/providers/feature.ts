import type { Feature } from "../../../platform/feature.ts";
import { providerRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "billing/providers",
  uses: ["accounts/custom-fields"],
  reads: [],
  tags: { payment_providers: "Who collects the money of payment links" },
  general_routes: providerRoutes,
};
