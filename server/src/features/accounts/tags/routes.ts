import { type Route, route } from "../../../platform/http/route.ts";
import { createTag, deleteTag, getTag, listTags, updateTag } from "./commands.ts";
import { Tag, TagCreate, TagList, TagListQuery, TagPatch } from "./schema.ts";

const one = { partner_wide: false, path: "/tags/{id}", params: { id: "tag" } } as const;

export const tagRoutes: Route[] = [
  route({
    operation: "tags.list",
    method: "GET",
    path: "/tags",
    summary: "List tags",
    description:
      "The tags that accounts offer for their records. Of one account they are sorted by name, of several the newest come first. Records may have others.",
    scope: "contacts:read",
    partner_wide: false,
    params: {},
    query: TagListQuery,
    reply: { status: 200, schema: TagList },
    handle: (ctx, { query }) => listTags(ctx, query),
  }),
  route({
    operation: "tags.create",
    method: "POST",
    path: "/tags",
    summary: "Create a tag",
    scope: "contacts:write",
    partner_wide: false,
    params: {},
    body: TagCreate,
    errors: ["duplicate_tag", "account_required", "client_inactive"],
    reply: { status: 201, schema: Tag, location: (id) => `/tags/${id}` },
    handle: (ctx, { body }) => createTag(ctx, body),
  }),
  route({
    operation: "tags.get",
    method: "GET",
    ...one,
    summary: "Get a tag",
    scope: "contacts:read",
    reply: { status: 200, schema: Tag },
    handle: (ctx, { params }) => getTag(ctx, params.id),
  }),
  route({
    operation: "tags.update",
    method: "PATCH",
    ...one,
    summary: "Update a tag",
    description: "Records that have the tag keep its previous name.",
    scope: "contacts:write",
    body: TagPatch,
    errors: ["duplicate_tag", "client_inactive"],
    reply: { status: 200, schema: Tag },
    handle: (ctx, { params, body }) => updateTag(ctx, params.id, body),
  }),
  route({
    operation: "tags.delete",
    method: "DELETE",
    ...one,
    summary: "Delete a tag",
    description: "Records that have the tag keep it.",
    scope: "contacts:write",
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteTag(ctx, params.id)),
  }),
];
