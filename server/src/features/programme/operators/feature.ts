import type { Feature } from "../../../platform/feature.ts";
import { operatorRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/operators",
  uses: ["programme/keys"],
  reads: ["outbox/webhooks"],
  tags: {
    operator_keys: "For the operator: its own keys",
    programme: "For the operator: the programme's settings",
    system: "For the operator: how the installation is",
  },
  operator_routes: operatorRoutes,
};
