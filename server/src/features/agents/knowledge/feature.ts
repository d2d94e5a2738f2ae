import type { Feature } from "../../../platform/feature.ts";
import { knowledgeJobs } from "./jobs.ts";
import { knowledgeRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "agents/knowledge",
  uses: ["accounts/configuring", "accounts/custom-fields", "outbox/webhooks", "agents/engine"],
  reads: [],
  tags: { knowledge_sources: "What agents look up: texts, pages and files" },
  general_routes: knowledgeRoutes,
  jobs: knowledgeJobs,
};
