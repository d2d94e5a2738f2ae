import type { Feature } from "../../../platform/feature.ts";
import { marketplaceAdminRoutes } from "./operator.routes.ts";
import { marketplaceRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "snapshots/marketplace",
  uses: ["accounts/clients", "money/commissions", "money/charges", "snapshots/catalogue"],
  reads: ["money/commissions"],
  tags: {
    marketplace: "Snapshots that partners offer to each other",
    listings: "The offers of the partner",
    purchases: "What the partner bought and sold",
    operator_listings: "Review of what partners offer",
    operator_purchases: "Purchases of all partners",
  },
  partner_routes: marketplaceRoutes,
  operator_routes: marketplaceAdminRoutes,
};
