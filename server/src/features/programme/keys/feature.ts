import type { Feature } from "../../../platform/feature.ts";
import { keyRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/keys",
  uses: ["accounts/clients"],
  reads: [],
  tags: { keys: "API keys: make them, bind them to clients and scopes, change, rotate and revoke them" },
  partner_routes: keyRoutes,
};
