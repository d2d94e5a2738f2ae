import { auditLogRoutes } from "../features/audit-log/index.ts";
import { clientRoutes } from "../features/clients/index.ts";
import { eventRoutes } from "../features/events/index.ts";
import { keyRoutes } from "../features/keys/index.ts";
import { partnerRoutes } from "../features/partners/index.ts";
import type { Route } from "../platform/http/route.ts";

/** The partner API, under bearer keys. */
export const partnerV1: { prefix: string; routes: Route[] } = {
  prefix: "/v1/partners",
  routes: [...partnerRoutes, ...clientRoutes, ...keyRoutes, ...eventRoutes, ...auditLogRoutes],
};
