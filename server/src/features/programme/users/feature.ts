import type { Feature } from "../../../platform/feature.ts";
import { userRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/users",
  uses: ["accounts/clients", "programme/keys"],
  reads: [],
  tags: { users: "Users of the partner" },
  partner_routes: userRoutes,
};
