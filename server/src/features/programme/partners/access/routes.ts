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

/** For partners, including those without access. */
export const accessRoutes: Route[] = [
  route({
    operation: "access.get",
    method: "GET",
    path: "/access-request",
    summary: "Get the partner's API access",
    description: "Whether the partner has access, and its latest request.",
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
    summary: "Request API access",
    description: "Changes nothing while a request is open or if the partner has access already.",
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

/** For the operator. */
export const accessAdminRoutes: Route[] = [
  operatorRoute({
    operation: "access_requests.list",
    method: "GET",
    path: "/access-requests",
    summary: "List access requests",
    params: {},
    query: AccessRequestListQuery,
    reply: { status: 200, schema: AccessRequestList },
    handle: (ctx, { query }) => listRequests(ctx, query),
  }),
  operatorRoute({
    operation: "access_requests.grant",
    method: "POST",
    path: "/access-requests/{id}/grant",
    summary: "Grant an access request",
    ...one,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: AccessRequest },
    handle: (ctx, { params, body }) => grantAccess(ctx, params.id, body.reason ?? null),
  }),
  operatorRoute({
    operation: "access_requests.decline",
    method: "POST",
    path: "/access-requests/{id}/decline",
    summary: "Decline an access request",
    ...one,
    errors: ["invalid_state_transition"],
    reply: { status: 200, schema: AccessRequest },
    handle: (ctx, { params, body }) => declineAccess(ctx, params.id, body.reason ?? null),
  }),
];
