import type { Feature } from "../../../platform/feature.ts";
import { sessionJobs } from "./jobs.ts";
import { sessionRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "agents/sessions",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "crm/timeline",
    "crm/contacts",
    "crm/deals",
    "crm/leads",
    "inbox/channels",
    "inbox/conversations",
    "agents/engine",
    "agents/definitions",
    "agents/knowledge",
  ],
  reads: [
    "accounts/clients",
    "accounts/pipelines",
    "crm/contacts",
    "crm/deals",
    "crm/leads",
    "inbox/channels",
    "inbox/conversations",
    "agents/definitions",
  ],
  tags: { sessions: "What agents and people have talked about, turn by turn" },
  general_routes: sessionRoutes,
  jobs: sessionJobs,
};
