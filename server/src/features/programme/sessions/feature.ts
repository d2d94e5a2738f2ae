import type { Feature } from "../../../platform/feature.ts";
import { sessionJobs } from "./jobs.ts";
import { sessionPublicRoutes, sessionRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/sessions",
  uses: ["programme/keys", "programme/users"],
  reads: ["accounts/clients"],
  portal_routes: sessionRoutes,
  portal_public_routes: sessionPublicRoutes,
  jobs: sessionJobs,
};
