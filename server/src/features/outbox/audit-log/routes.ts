import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { getEntry, listAllEntries, listEntries } from "./commands.ts";
import { AuditEntry, AuditList, AuditListQuery, OperatorAuditList, OperatorAuditListQuery } from "./schema.ts";

export const auditLogRoutes: Route[] = [
  route({
    operation: "audit_log.list",
    method: "GET",
    path: "/audit-log",
    summary: "List audit entries",
    description: "Newest first.",
    scope: "audit:read",
    partner_wide: false,
    params: {},
    query: AuditListQuery,
    exportable: true,
    reply: { status: 200, schema: AuditList },
    handle: (ctx, { query }) => listEntries(ctx, query),
  }),
  route({
    operation: "audit_log.get",
    method: "GET",
    path: "/audit-log/{id}",
    summary: "Get an audit entry",
    scope: "audit:read",
    partner_wide: false,
    params: { id: "audit" },
    reply: { status: 200, schema: AuditEntry },
    handle: (ctx, { params }) => getEntry(ctx, params.id),
  }),
];

export const auditAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_audit_log.list",
    method: "GET",
    path: "/audit-log",
    summary: "List the audit entries of all partners and of the operator",
    description: "Newest first.",
    params: {},
    query: OperatorAuditListQuery,
    exportable: true,
    reply: { status: 200, schema: OperatorAuditList },
    handle: (ctx, { query }) => listAllEntries(ctx, query),
  }),
];
