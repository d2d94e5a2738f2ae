import type { Feature } from "../../../platform/feature.ts";
import { factorRoutes } from "./factor/routes.ts";
import { sessionJobs } from "./jobs.ts";
import { linkPublicRoutes } from "./links/routes.ts";
import { passwordPublicRoutes, passwordRoutes } from "./password/routes.ts";
import { sessionPublicRoutes, sessionRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "programme/sessions",
  uses: ["programme/keys", "programme/users"],
  reads: ["accounts/clients", "programme/users"],
  portal_routes: [...sessionRoutes, ...passwordRoutes, ...factorRoutes],
  portal_public_routes: [...sessionPublicRoutes, ...linkPublicRoutes, ...passwordPublicRoutes],
  jobs: sessionJobs,
};
