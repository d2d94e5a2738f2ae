import { type Route, route } from "../../../../platform/http/route.ts";
import { approve, getApproval, listApprovals, reject } from "./commands.ts";
import { Approval, ApprovalDecision, ApprovalList, ApprovalListQuery } from "./schema.ts";

const one = { id: "approval" } as const;
const decides = {
  method: "POST",
  scope: "agents:write",
  partner_wide: false,
  params: one,
  body: ApprovalDecision,
  reply: { status: 200, schema: Approval },
} as const;

export const approvalRoutes: Route[] = [
  route({
    operation: "approvals.list",
    method: "GET",
    path: "/approvals",
    summary: "List approvals",
    description: "What agents want to do with tools whose policy is `approve`, newest first.",
    scope: "agents:read",
    partner_wide: false,
    params: {},
    query: ApprovalListQuery,
    reply: { status: 200, schema: ApprovalList },
    handle: (ctx, { query }) => listApprovals(ctx, query),
  }),
  route({
    operation: "approvals.get",
    method: "GET",
    path: "/approvals/{id}",
    summary: "Get an approval",
    scope: "agents:read",
    partner_wide: false,
    params: one,
    reply: { status: 200, schema: Approval },
    handle: (ctx, { params }) => getApproval(ctx, params.id),
  }),
  route({
    ...decides,
    operation: "approvals.approve",
    path: "/approvals/{id}/approve",
    summary: "Approve what an agent wants to do",
    description:
      "It is done soon after, exactly once: `executed_at` and `result` tell. If its record has changed since the agent asked, it is refused with `approval_conflict`.",
    errors: ["approval_conflict", "invalid_state_transition", "client_inactive"],
    handle: (ctx, { params, body }) => approve(ctx, params.id, body),
  }),
  route({
    ...decides,
    operation: "approvals.reject",
    path: "/approvals/{id}/reject",
    summary: "Reject what an agent wants to do",
    errors: ["invalid_state_transition", "client_inactive"],
    handle: (ctx, { params, body }) => reject(ctx, params.id, body),
  }),
];
