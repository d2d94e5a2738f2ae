import { auditLogRoutes } from "../features/audit-log/index.ts";
import { clientRoutes } from "../features/clients/index.ts";
import { eventRoutes } from "../features/events/index.ts";
import { keyRoutes } from "../features/keys/index.ts";
import { partnerRoutes } from "../features/partners/index.ts";
import type { Surface } from "../platform/http/openapi.ts";

/** The partner API, under bearer keys. */
export const partnerV1: Surface = {
  prefix: "/v1/partners",
  stability: "preview",
  security: "key",
  routes: [...partnerRoutes, ...clientRoutes, ...keyRoutes, ...eventRoutes, ...auditLogRoutes],
};
