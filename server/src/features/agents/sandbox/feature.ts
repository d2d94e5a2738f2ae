import type { Feature } from "../../../platform/feature.ts";
import { sandboxJobs } from "./jobs.ts";
import { sandboxRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "agents/sandbox",
  uses: ["accounts/custom-fields", "agents/engine", "agents/definitions", "agents/sessions", "agents/knowledge"],
  reads: ["accounts/clients", "crm/contacts", "crm/leads"],
  tags: { sandbox: "Conversations with agents of which nothing happens" },
  general_routes: sandboxRoutes,
  jobs: sandboxJobs,
};
