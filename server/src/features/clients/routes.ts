import { type Route, route } from "../../platform/http/route.ts";
import { listActivity } from "./activity/commands.ts";
import { ActivityList, ActivityQuery } from "./activity/schema.ts";
import { changeClients } from "./bulk/commands.ts";
import { BulkChange, BulkResult } from "./bulk/schema.ts";
import { changeStatus, createClient, getClient, updateClient } from "./commands.ts";
import { listClients } from "./list/commands.ts";
import { ClientList, ClientListQuery } from "./list/schema.ts";
import { Client, ClientCreate, ClientPatch, ReasonBody } from "./schema.ts";

const one = { partner_wide: false, params: { id: "client" }, client_param: "id" } as const;

export const clientRoutes: Route[] = [
  route({
    operation: "clients.list",
    method: "GET",
    path: "/clients",
    summary: "List clients",
    scope: "clients:read",
    partner_wide: false,
    params: {},
    query: ClientListQuery,
    exportable: true,
    reply: { status: 200, schema: ClientList },
    handle: (ctx, { query }) => listClients(ctx, query),
  }),
  route({
    operation: "clients.create",
    method: "POST",
    path: "/clients",
    summary: "Create a client",
    scope: "clients:write",
    partner_wide: true,
    params: {},
    body: ClientCreate,
    errors: ["duplicate_client"],
    reply: { status: 201, schema: Client, location: (id) => `/clients/${id}` },
    handle: (ctx, { body }) => createClient(ctx, body),
  }),
  route({
    operation: "clients.bulk",
    method: "POST",
    path: "/clients/bulk",
    summary: "Suspend, reactivate, tag or untag up to 500 clients",
    description:
      "Each client has its own result, as if it had been called for alone. Clients that the key cannot see are not found.",
    scope: "clients:write",
    partner_wide: false,
    params: {},
    body: BulkChange,
    reply: { status: 200, schema: BulkResult },
    handle: (ctx, { body }) => changeClients(ctx, body),
  }),
  route({
    operation: "clients.activity",
    method: "GET",
    path: "/clients/{id}/activity",
    summary: "List what happened to a client and who did it, newest first",
    scope: "clients:read",
    ...one,
    query: ActivityQuery,
    reply: { status: 200, schema: ActivityList },
    handle: (ctx, { params, query }) => listActivity(ctx, params.id, query),
  }),
  route({
    operation: "clients.get",
    method: "GET",
    path: "/clients/{id}",
    summary: "Get a client",
    scope: "clients:read",
    ...one,
    reply: { status: 200, schema: Client },
    handle: (ctx, { params }) => getClient(ctx, params.id),
  }),
  route({
    operation: "clients.update",
    method: "PATCH",
    path: "/clients/{id}",
    summary: "Change a client or its status",
    scope: "clients:write",
    ...one,
    body: ClientPatch,
    errors: ["duplicate_client", "invalid_state_transition"],
    reply: { status: 200, schema: Client },
    handle: (ctx, { params, body }) => updateClient(ctx, params.id, body),
  }),
  route({
    operation: "clients.churn",
    method: "DELETE",
    path: "/clients/{id}",
    summary: "Close a client's account; its data stays",
    scope: "clients:write",
    ...one,
    errors: ["invalid_state_transition"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await changeStatus(ctx, params.id, "churned", null)),
  }),
  route({
    operation: "clients.suspend",
    method: "POST",
    path: "/clients/{id}/suspend",
    summary: "Suspend a client",
    scope: "clients:write",
    ...one,
    body: ReasonBody,
    errors: ["invalid_state_transition"],
    body_optional: true,
    reply: { status: 200, schema: Client },
    handle: (ctx, { params, body }) => changeStatus(ctx, params.id, "suspended", body.reason ?? null),
  }),
  route({
    operation: "clients.reactivate",
    method: "POST",
    path: "/clients/{id}/reactivate",
    summary: "Make a client active: out of suspension, or won back",
    scope: "clients:write",
    ...one,
    body: ReasonBody,
    errors: ["invalid_state_transition"],
    body_optional: true,
    reply: { status: 200, schema: Client },
    handle: (ctx, { params, body }) => changeStatus(ctx, params.id, "active", body.reason ?? null),
  }),
];
