import type { Feature } from "../../../platform/feature.ts";
import { auditAdminRoutes, auditLogRoutes } from "./routes.ts";

export const feature: Feature = {
  name: "outbox/audit-log",
  uses: [],
  reads: ["accounts/clients"],
  tags: { audit_log: "Who did what", operator_audit_log: "For the operator: who did what, in every partner's log and its own" },
  partner_routes: auditLogRoutes,
  operator_routes: auditAdminRoutes,
};
