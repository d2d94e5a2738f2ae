import { type Route, route } from "../../../platform/http/route.ts";
import { createTemplate, getTemplate, listTemplates, updateTemplate } from "./commands.ts";
import {
  MessageTemplate,
  MessageTemplateCreate,
  MessageTemplateList,
  MessageTemplateListQuery,
  MessageTemplatePatch,
} from "./schema.ts";

const one = { partner_wide: false, path: "/message-templates/{id}", params: { id: "message_template" } } as const;

export const templateRoutes: Route[] = [
  route({
    operation: "message_templates.list",
    method: "GET",
    path: "/message-templates",
    summary: "List message templates",
    scope: "conversations:read",
    partner_wide: false,
    params: {},
    query: MessageTemplateListQuery,
    reply: { status: 200, schema: MessageTemplateList },
    handle: (ctx, { query }) => listTemplates(ctx, query),
  }),
  route({
    operation: "message_templates.create",
    method: "POST",
    path: "/message-templates",
    summary: "Create a message template",
    description: "Unknown placeholders are refused, with a list of those that the account has.",
    scope: "conversations:write",
    partner_wide: false,
    params: {},
    body: MessageTemplateCreate,
    errors: ["duplicate_message_template", "account_required", "client_inactive"],
    reply: { status: 201, schema: MessageTemplate, location: (id) => `/message-templates/${id}` },
    handle: (ctx, { body }) => createTemplate(ctx, body),
  }),
  route({
    operation: "message_templates.get",
    method: "GET",
    ...one,
    summary: "Get a message template",
    scope: "conversations:read",
    reply: { status: 200, schema: MessageTemplate },
    handle: (ctx, { params }) => getTemplate(ctx, params.id),
  }),
  route({
    operation: "message_templates.update",
    method: "PATCH",
    ...one,
    summary: "Update a message template",
    description: "`archived: false` restores an archived one.",
    scope: "conversations:write",
    body: MessageTemplatePatch,
    errors: ["duplicate_message_template", "client_inactive"],
    reply: { status: 200, schema: MessageTemplate },
    handle: (ctx, { params, body }) => updateTemplate(ctx, params.id, body),
  }),
  route({
    operation: "message_templates.archive",
    method: "DELETE",
    ...one,
    summary: "Archive a message template",
    description: "It is no longer offered, and another template can take its name.",
    scope: "conversations:write",
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await updateTemplate(ctx, params.id, { archived: true })),
  }),
];
