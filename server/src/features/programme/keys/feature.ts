import type { Feature } from "../../../platform/feature.ts";
import { keyRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/keys",
  uses: ["accounts/clients"],
  reads: [],
  tags: { keys: "API keys of the partner, with their scopes, clients and limits" },
  partner_routes: keyRoutes,
};
