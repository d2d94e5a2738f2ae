import type { Feature } from "../../../platform/feature.ts";
import { approvalRoutes } from "./approvals/routes.ts";
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
    "billing/payment-links",
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
  tags: {
    sessions: "What agents and people have talked about, turn by turn",
    approvals: "What agents want to do, once somebody has approved it",
  },
  general_routes: [...sessionRoutes, ...approvalRoutes],
  jobs: sessionJobs,
};
