import { agentRoutes } from "../features/agents/routes.tsx";
import { auditLogRoutes } from "../features/audit-log/routes.tsx";
import { billingRoutes } from "../features/billing/routes.tsx";
import { clientRoutes } from "../features/clients/routes.tsx";
import { crmRoutes } from "../features/crm/routes.tsx";
import { dealRoutes } from "../features/deals/routes.tsx";
import { eventRoutes } from "../features/events/routes.tsx";
import { homeRoutes } from "../features/home/routes.tsx";
import { inboxRoutes } from "../features/inbox/routes.tsx";
import { keyRoutes } from "../features/keys/routes.tsx";
import { moneyRoutes } from "../features/money/routes.tsx";
import { partnerRoutes } from "../features/partners/routes.tsx";
import { pipelineRoutes } from "../features/pipelines/routes.tsx";
import { sessionRoutes } from "../features/sessions/routes.tsx";
import { snapshotRoutes } from "../features/snapshots/routes.tsx";
import { userRoutes } from "../features/users/routes.tsx";
import { webhookRoutes } from "../features/webhooks/routes.tsx";
import type { PageRoute } from "../ui/route.ts";

/** Every page for the people of a partner and of its clients. This file, and no other, names every feature. */
export const ROUTES: readonly PageRoute[] = [
  ...homeRoutes,
  ...clientRoutes,
  ...keyRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...auditLogRoutes,
  ...crmRoutes,
  ...inboxRoutes,
  ...billingRoutes,
  ...agentRoutes,
  ...dealRoutes,
  ...snapshotRoutes,
  ...moneyRoutes,
  ...partnerRoutes,
  ...userRoutes,
  ...sessionRoutes,
  ...pipelineRoutes,
];
