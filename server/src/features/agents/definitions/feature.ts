import type { Feature } from "../../../platform/feature.ts";
import { agentRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "agents/definitions",
  uses: [
    "accounts/configuring",
    "accounts/custom-fields",
    "outbox/webhooks",
    "inbox/channels",
    "agents/engine",
    "agents/models",
    "agents/knowledge",
  ],
  reads: ["inbox/channels"],
  tags: { agents: "Who answers on channels: what they say and do, in versions" },
  general_routes: agentRoutes,
};
