import { type Route, route } from "../../../platform/http/route.ts";
import { deleteUser, getUser, inviteUser, listUsers, updateUser } from "./commands.ts";
import { User, UserCreate, UserList, UserListQuery, UserPatch } from "./schema.ts";

const one = { partner_wide: true, params: { id: "user" } } as const;

export const userRoutes: Route[] = [
  route({
    operation: "users.list",
    method: "GET",
    path: "/users",
    summary: "List users",
    scope: "account:read",
    partner_wide: true,
    params: {},
    query: UserListQuery,
    reply: { status: 200, schema: UserList },
    handle: (ctx, { query }) => listUsers(ctx, query),
  }),
  route({
    operation: "users.create",
    method: "POST",
    path: "/users",
    summary: "Invite a user",
    description:
      "A key grants at most what it has: it needs every scope of the role (read_only: all that read; member: also those that write records), and owners and administrators are invited by a person (403 person_required). Only an owner invites owners (403 role_required). The user gets an e-mail where the service sends e-mail; otherwise a person passes the link on (POST /portal/api/invitations).",
    scope: "account:write",
    partner_wide: true,
    sensitive: true,
    params: {},
    body: UserCreate,
    errors: ["duplicate_user", "person_required"],
    reply: { status: 201, schema: User, location: (id) => `/users/${id}` },
    handle: (ctx, { body }) => inviteUser(ctx, body),
  }),
  route({
    operation: "users.get",
    method: "GET",
    path: "/users/{id}",
    summary: "Get a user",
    scope: "account:read",
    ...one,
    reply: { status: 200, schema: User },
    handle: (ctx, { params }) => getUser(ctx, params.id),
  }),
  route({
    operation: "users.update",
    method: "PATCH",
    path: "/users/{id}",
    summary: "Update a user",
    description:
      "A key changes the name and the accounts; for access to more accounts it needs every scope of the user's role. The role and the e-mail address are changed by a person in the portal: with a key the reply is 403 person_required. Only an owner changes owners, and nobody their own role or accounts (403 role_required). Rights that are taken end at once; a new e-mail address ends the user's other sessions. The last owner who can sign in and has all accounts stays.",
    scope: "account:write",
    sensitive: true,
    ...one,
    body: UserPatch,
    errors: ["person_required", "duplicate_user", "resource_in_use"],
    reply: { status: 200, schema: User },
    handle: (ctx, { params, body }) => updateUser(ctx, params.id, body),
  }),
  route({
    operation: "users.delete",
    method: "DELETE",
    path: "/users/{id}",
    summary: "Remove a user",
    description:
      "Ends the user's sessions and the imports that the user started, at once. The last owner who can sign in and has all accounts stays; only an owner removes owners (403 role_required).",
    scope: "account:write",
    sensitive: true,
    ...one,
    errors: ["resource_in_use"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteUser(ctx, params.id)),
  }),
];
