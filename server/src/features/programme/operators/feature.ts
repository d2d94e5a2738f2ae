import type { Feature } from "../../../platform/feature.ts";
import { operatorRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/operators",
  uses: ["programme/keys"],
  reads: ["outbox/webhooks"],
  tags: {
    operator_keys: "Operator keys",
    programme: "Settings of the programme, for the operator",
    system: "Health of the installation, for the operator",
  },
  operator_routes: operatorRoutes,
};
