import type { Feature } from "../../../platform/feature.ts";
import { programmeProviderRoutes } from "./programme/routes.ts";
import { providerRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "billing/providers",
  uses: ["accounts/custom-fields"],
  reads: [],
  tags: {
    payment_providers: "Who collects the money of payment links",
    programme_providers: "Who collects money for the operator",
  },
  general_routes: providerRoutes,
  operator_routes: programmeProviderRoutes,
};
