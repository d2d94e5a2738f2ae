import { type Route, route } from "../../../platform/http/route.ts";
import { createKey, getKey, listKeys, revokeKey, rotateKey, updateKey } from "./commands.ts";
import { Key, KeyCreate, KeyCreated, KeyList, KeyListQuery, KeyPatch, KeyRotation } from "./schema.ts";

const one = { partner_wide: false, params: { id: "key" } } as const;

export const keyRoutes: Route[] = [
  route({
    operation: "keys.list",
    method: "GET",
    path: "/keys",
    summary: "List keys",
    scope: "keys:read",
    partner_wide: false,
    params: {},
    query: KeyListQuery,
    exportable: true,
    reply: { status: 200, schema: KeyList },
    handle: (ctx, { query }) => listKeys(ctx, query),
  }),
  route({
    operation: "keys.create",
    method: "POST",
    path: "/keys",
    summary: "Create a key",
    scope: "keys:write",
    partner_wide: false,
    params: {},
    body: KeyCreate,
    errors: ["key_limits_exceeded", "partner_wide_key_required"],
    reply: { status: 201, schema: KeyCreated, location: (id) => `/keys/${id}`, secret: true },
    handle: (ctx, { body }) => createKey(ctx, body),
  }),
  route({
    operation: "keys.get",
    method: "GET",
    path: "/keys/{id}",
    summary: "Get a key",
    scope: "keys:read",
    ...one,
    reply: { status: 200, schema: Key },
    handle: (ctx, { params }) => getKey(ctx, params.id),
  }),
  route({
    operation: "keys.update",
    method: "PATCH",
    path: "/keys/{id}",
    summary: "Update a key",
    description:
      "Changes its name, scopes, clients, expiry or networks. The result must be a key that the calling key could create. Permissions that are removed end at once.",
    scope: "keys:write",
    ...one,
    body: KeyPatch,
    errors: ["key_limits_exceeded", "partner_wide_key_required", "invalid_state_transition"],
    reply: { status: 200, schema: Key },
    handle: (ctx, { params, body }) => updateKey(ctx, params.id, body),
  }),
  route({
    operation: "keys.rotate",
    method: "POST",
    path: "/keys/{id}/rotate",
    summary: "Rotate a key",
    description:
      "Replaces the secret. The previous secret is valid until the overlap ends; without an overlap it is refused at once.",
    scope: "keys:write",
    ...one,
    body: KeyRotation,
    body_optional: true,
    errors: ["key_limits_exceeded", "partner_wide_key_required", "invalid_state_transition"],
    reply: { status: 200, schema: KeyCreated, secret: true },
    handle: (ctx, { params, body }) => rotateKey(ctx, params.id, body),
  }),
  route({
    operation: "keys.revoke",
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Revoke a key",
    description: "Takes effect at once.",
    scope: "keys:write",
    ...one,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await revokeKey(ctx, params.id)),
  }),
];
