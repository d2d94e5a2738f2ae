import { operatorRoute, type Route } from "../../../../platform/http/route.ts";
import { getOperatorUser, inviteOperatorUser, listOperatorUsers, removeOperator } from "./commands.ts";
import { OperatorUser, OperatorUserCreate, OperatorUserList, OperatorUserListQuery } from "./schema.ts";

export const operatorUserRoutes: Route[] = [
  operatorRoute({
    operation: "operator_users.list",
    method: "GET",
    path: "/users",
    summary: "List the users of the operator",
    params: {},
    query: OperatorUserListQuery,
    reply: { status: 200, schema: OperatorUserList },
    handle: (ctx, { query }) => listOperatorUsers(ctx, query),
  }),
  operatorRoute({
    operation: "operator_users.create",
    method: "POST",
    path: "/users",
    summary: "Invite a user of the operator",
    description:
      "The user gets an e-mail where the service sends e-mail; otherwise a person passes the link on (POST /portal/api/invitations).",
    sensitive: true,
    params: {},
    body: OperatorUserCreate,
    errors: ["duplicate_user"],
    reply: { status: 201, schema: OperatorUser, location: (id) => `/users/${id}` },
    handle: (ctx, { body }) => inviteOperatorUser(ctx, body),
  }),
  operatorRoute({
    operation: "operator_users.get",
    method: "GET",
    path: "/users/{id}",
    summary: "Get a user of the operator",
    params: { id: "user" },
    reply: { status: 200, schema: OperatorUser },
    handle: (ctx, { params }) => getOperatorUser(ctx, params.id),
  }),
  operatorRoute({
    operation: "operator_users.delete",
    method: "DELETE",
    path: "/users/{id}",
    summary: "Remove a user of the operator",
    description: "Takes effect at once: the user's sessions end. The last user who can sign in cannot be removed.",
    sensitive: true,
    params: { id: "user" },
    errors: ["resource_in_use"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await removeOperator(ctx, params.id)),
  }),
];
