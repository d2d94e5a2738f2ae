import { personRoute, type Route } from "../../../platform/http/route.ts";
import { createView, deleteView, listViews, updateView } from "./commands.ts";
import { View, ViewCreate, ViewList, ViewListQuery, ViewPatch } from "./schema.ts";

const one = { path: "/views/{id}", params: { id: "view" } } as const;

export const viewRoutes: Route[] = [
  personRoute({
    operation: "views.list",
    method: "GET",
    path: "/views",
    summary: "List saved views",
    params: {},
    query: ViewListQuery,
    reply: { status: 200, schema: ViewList },
    handle: (ctx, { query }) => listViews(ctx, query),
  }),
  personRoute({
    operation: "views.create",
    method: "POST",
    path: "/views",
    summary: "Save a view",
    params: {},
    body: ViewCreate,
    errors: ["duplicate_view", "view_limit_reached", "role_required"],
    reply: { status: 201, schema: View, location: (id) => `/views/${id}` },
    handle: (ctx, { body }) => createView(ctx, body),
  }),
  personRoute({
    operation: "views.update",
    method: "PATCH",
    ...one,
    summary: "Change a view",
    body: ViewPatch,
    errors: ["duplicate_view", "view_limit_reached", "role_required"],
    reply: { status: 200, schema: View },
    handle: (ctx, { params, body }) => updateView(ctx, params.id, body),
  }),
  personRoute({
    operation: "views.delete",
    method: "DELETE",
    ...one,
    summary: "Delete a view",
    errors: ["role_required"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteView(ctx, params.id)),
  }),
];
