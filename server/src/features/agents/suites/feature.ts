import type { Feature } from "../../../platform/feature.ts";
import { suiteJobs } from "./jobs.ts";
import { suiteRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "agents/suites",
  uses: [
    "accounts/configuring",
    "accounts/custom-fields",
    "agents/engine",
    "agents/definitions",
    "agents/sessions",
    "agents/sandbox",
  ],
  reads: [],
  tags: { agent_tests: "What agents have to pass", test_runs: "Whether they do" },
  general_routes: suiteRoutes,
  jobs: suiteJobs,
};
