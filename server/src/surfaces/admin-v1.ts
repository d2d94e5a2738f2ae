import { auditAdminRoutes } from "../features/audit-log/index.ts";
import { operatorRoutes } from "../features/operators/index.ts";
import { accessAdminRoutes, partnerAdminRoutes } from "../features/partners/index.ts";
import { registrationAdminRoutes } from "../features/registrations/index.ts";
import type { Surface } from "../platform/http/openapi.ts";

/** The operator API, under operator keys. */
export const adminV1: Surface = {
  prefix: "/v1/admin",
  stability: "preview",
  security: "operator_key",
  routes: [...partnerAdminRoutes, ...accessAdminRoutes, ...operatorRoutes, ...auditAdminRoutes, ...registrationAdminRoutes],
};
