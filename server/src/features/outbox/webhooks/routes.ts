import { type Route, route } from "../../../platform/http/route.ts";
import { createEndpoint, deleteEndpoint, getEndpoint, listEndpoints, rotateSecret, updateEndpoint } from "./commands.ts";
import { deliveryRoutes } from "./deliveries/routes.ts";
import { replayRoutes } from "./replay/routes.ts";
import {
  Endpoint,
  EndpointCreate,
  EndpointList,
  EndpointListQuery,
  EndpointPatch,
  EndpointWithSecret,
  SecretRotation,
} from "./schema.ts";
import { verifySignature } from "./verify/commands.ts";
import { Verification, VerifyRequest } from "./verify/schema.ts";

const one = { partner_wide: false, params: { id: "endpoint" } } as const;

const endpointRoutes: Route[] = [
  route({
    operation: "webhooks.list",
    method: "GET",
    path: "/webhooks",
    summary: "List webhook endpoints",
    scope: "webhooks:read",
    partner_wide: false,
    params: {},
    query: EndpointListQuery,
    reply: { status: 200, schema: EndpointList },
    handle: (ctx, { query }) => listEndpoints(ctx, query),
  }),
  route({
    operation: "webhooks.create",
    method: "POST",
    path: "/webhooks",
    summary: "Create a webhook endpoint",
    description:
      "An event type also needs the read scope of its resource. The endpoint outlives the key that created it and keeps its clients.",
    scope: "webhooks:write",
    partner_wide: false,
    params: {},
    body: EndpointCreate,
    errors: ["partner_wide_key_required", "endpoint_limit_reached"],
    reply: { status: 201, schema: EndpointWithSecret, location: (id) => `/webhooks/${id}`, secret: true },
    handle: (ctx, { body }) => createEndpoint(ctx, body),
  }),
  route({
    operation: "webhooks.get",
    method: "GET",
    path: "/webhooks/{id}",
    summary: "Get a webhook endpoint and its health",
    scope: "webhooks:read",
    ...one,
    reply: { status: 200, schema: Endpoint },
    handle: (ctx, { params }) => getEndpoint(ctx, params.id),
  }),
  route({
    operation: "webhooks.update",
    method: "PATCH",
    path: "/webhooks/{id}",
    summary: "Change a webhook endpoint",
    description: "The calling key must be allowed to create the changed endpoint. Headers are replaced as a whole.",
    scope: "webhooks:write",
    ...one,
    body: EndpointPatch,
    errors: ["partner_wide_key_required"],
    reply: { status: 200, schema: Endpoint },
    handle: (ctx, { params, body }) => updateEndpoint(ctx, params.id, body),
  }),
  route({
    operation: "webhooks.delete",
    method: "DELETE",
    path: "/webhooks/{id}",
    summary: "Delete a webhook endpoint",
    description: "Its pending deliveries are not sent.",
    scope: "webhooks:write",
    ...one,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteEndpoint(ctx, params.id)),
  }),
  route({
    operation: "webhooks.rotate_secret",
    method: "POST",
    path: "/webhooks/{id}/rotate-secret",
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "Until the overlap ends, deliveries are also signed with the previous secrets. At most three are valid; older ones end at once.",
    scope: "webhooks:write",
    ...one,
    body: SecretRotation,
    body_optional: true,
    errors: ["partner_wide_key_required"],
    reply: { status: 200, schema: EndpointWithSecret, secret: true },
    handle: (ctx, { params, body }) => rotateSecret(ctx, params.id, body),
  }),
  route({
    operation: "webhooks.verify",
    method: "POST",
    path: "/webhooks/verify",
    summary: "Diagnose a webhook signature",
    description: "Takes a delivery as it was received, and reports whether its signature is valid or what changed on the way.",
    scope: "webhooks:read",
    partner_wide: false,
    params: {},
    body: VerifyRequest,
    read_only: true,
    errors: ["not_found"],
    reply: { status: 200, schema: Verification },
    handle: (ctx, { body }) => verifySignature(ctx, body),
  }),
];

export const webhookRoutes: Route[] = [...endpointRoutes, ...deliveryRoutes, ...replayRoutes];
