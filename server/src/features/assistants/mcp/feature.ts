import type { Feature } from "../../../platform/feature.ts";
import { mcpRoutes } from "./routes.ts";

/** What assistants of people can do with an account: each tool is an operation of the API. */
export const feature: Feature = {
  name: "assistants/mcp",
  uses: [
    "accounts/clients",
    "accounts/custom-fields",
    "accounts/pipelines",
    "crm/contacts",
    "crm/deals",
    "crm/leads",
    "inbox/conversations",
    "agents/knowledge",
    "agents/sessions",
    "billing/payment-links",
  ],
  reads: [],
  tags: { mcp: "Tools for assistants, by the Model Context Protocol" },
  general_routes: mcpRoutes,
};
