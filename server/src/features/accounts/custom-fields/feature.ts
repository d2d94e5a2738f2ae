import type { Feature } from "../../../platform/feature.ts";
import { customFieldRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/custom-fields",
  uses: ["accounts/clients", "accounts/configuring"],
  reads: ["accounts/clients"],
  tags: { custom_fields: "Fields that an account adds to its records" },
  general_routes: customFieldRoutes,
};
