import { type Route, route } from "../../platform/http/route.ts";
import { createKey, getKey, listKeys, revokeKey } from "./commands.ts";
import { Key, KeyCreate, KeyCreated, KeyList, KeyListQuery } from "./schema.ts";

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
    operation: "keys.revoke",
    method: "DELETE",
    path: "/keys/{id}",
    summary: "Revoke a key at once",
    scope: "keys:write",
    ...one,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await revokeKey(ctx, params.id)),
  }),
];
