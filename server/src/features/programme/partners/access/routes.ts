import { operatorRoute, type Route, route } from "../../../../platform/http/route.ts";
import { declineAccess, getAccess, grantAccess, listRequests, requestAccess } from "./commands.ts";
import {
  AccessDecision,
  AccessRequest,
  AccessRequestCreate,
  AccessRequestList,
  AccessRequestListQuery,
  ApiAccess,
} from "./schema.ts";

/** The partner's side: open to partners that have no access yet. */
export const accessRoutes: Route[] = [
  route({
    operation: "access.get",
    method: "GET",
    path: "/access-request",
    summary: "See whether the partner has API access, and what became of its request",
    scope: "account:read",
    partner_wide: true,
    beta_exempt: true,
    params: {},
    reply: { status: 200, schema: ApiAccess },
    handle: (ctx) => getAccess(ctx),
  }),
  route({
    operation: "access.request",
    method: "POST",
    path: "/access-request",
    summary: "Ask for API access",
    description: "While a request is open, and where there is access already, asking again changes nothing.",
    scope: "account:write",
    partner_wide: true,
    beta_exempt: true,
    params: {},
    body: AccessRequestCreate,
    body_optional: true,
    reply: { status: 200, schema: ApiAccess },
    handle: (ctx, { body }) => requestAccess(ctx, body),
  }),
];

const one = { params: { id: "access_request" }, body: AccessDecision, body_optional: true } as const;

/** The operator's side. */
export const accessAdminRoutes: Route[] = [
  operatorRoute({
    operation: "access_requests.list",
    method: "GET",
    path: "/access-requests",
    summary: "List requests for API access",
    params: {},
    query: AccessRequestListQuery,
    reply: { status: 200, schema: AccessRequestList },
    handle: (ctx, { query }) => listRequests(ctx, query),
  }),
  operatorRoute({
    operation: "access_requests.grant",
    method: "POST",
    path: "/access-requests/{id}/grant",
    summary: "Grant a partner API access",
    ...one,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: AccessRequest },
    handle: (ctx, { params, body }) => grantAccess(ctx, params.id, body.reason ?? null),
  }),
  operatorRoute({
    operation: "access_requests.decline",
    method: "POST",
    path: "/access-requests/{id}/decline",
    summary: "Decline a partner's request for API access",
    ...one,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: AccessRequest },
    handle: (ctx, { params, body }) => declineAccess(ctx, params.id, body.reason ?? null),
  }),
];
