import type { Feature } from "../../../platform/feature.ts";
import { logoRoutes } from "./logo/routes.ts";
import { clientRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/clients",
  uses: ["accounts/plans"],
  reads: [],
  tags: { clients: "Client accounts of a partner" },
  partner_routes: clientRoutes,
  portal_routes: logoRoutes,
};
