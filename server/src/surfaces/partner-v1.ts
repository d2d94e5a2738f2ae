import { auditLogRoutes } from "../features/audit-log/index.ts";
import { clientRoutes } from "../features/clients/index.ts";
import { partnerDealRoutes } from "../features/deals/index.ts";
import { eventRoutes } from "../features/events/index.ts";
import { keyRoutes } from "../features/keys/index.ts";
import { accessRoutes, accountRoutes, partnerRoutes } from "../features/partners/index.ts";
import { registrationRoutes } from "../features/registrations/index.ts";
import { userRoutes } from "../features/users/index.ts";
import { webhookRoutes } from "../features/webhooks/index.ts";
import type { Surface } from "../platform/http/openapi.ts";

/** The partner API, under bearer keys. */
export const partnerV1: Surface = {
  prefix: "/v1/partners",
  stability: "preview",
  security: "key",
  routes: [
    ...partnerRoutes,
    ...accountRoutes,
    ...accessRoutes,
    ...clientRoutes,
    ...partnerDealRoutes,
    ...userRoutes,
    ...keyRoutes,
    ...eventRoutes,
    ...webhookRoutes,
    ...auditLogRoutes,
    ...registrationRoutes,
  ],
};
