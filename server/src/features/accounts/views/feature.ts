import type { Feature } from "../../../platform/feature.ts";
import { viewRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "accounts/views",
  uses: ["accounts/configuring"],
  reads: ["accounts/clients"],
  portal_routes: viewRoutes,
};
