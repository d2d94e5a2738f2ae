import { type Route, route } from "../../../platform/http/route.ts";
import { createField, getField, listFields, updateField } from "./commands.ts";
import { CustomField, CustomFieldCreate, CustomFieldList, CustomFieldListQuery, CustomFieldPatch } from "./schema.ts";

const one = { partner_wide: false, params: { id: "custom_field" } } as const;
const SCOPES = "Fields of records other than contacts also need the scope of those records.";

export const customFieldRoutes: Route[] = [
  route({
    operation: "custom_fields.list",
    method: "GET",
    path: "/custom-fields",
    summary: "List custom fields",
    description: "Includes the fields of those kinds of records that the key may read.",
    scope: "contacts:read",
    partner_wide: false,
    params: {},
    query: CustomFieldListQuery,
    reply: { status: 200, schema: CustomFieldList },
    handle: (ctx, { query }) => listFields(ctx, query),
  }),
  route({
    operation: "custom_fields.create",
    method: "POST",
    path: "/custom-fields",
    summary: "Create a custom field",
    description: SCOPES,
    scope: "contacts:write",
    partner_wide: false,
    params: {},
    body: CustomFieldCreate,
    errors: ["duplicate_custom_field", "account_required", "client_inactive"],
    reply: { status: 201, schema: CustomField, location: (id) => `/custom-fields/${id}` },
    handle: (ctx, { body }) => createField(ctx, body),
  }),
  route({
    operation: "custom_fields.get",
    method: "GET",
    path: "/custom-fields/{id}",
    summary: "Get a custom field",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, schema: CustomField },
    handle: (ctx, { params }) => getField(ctx, params.id),
  }),
  route({
    operation: "custom_fields.update",
    method: "PATCH",
    path: "/custom-fields/{id}",
    summary: "Update a custom field",
    description: `Changes its label, its options, and whether it is required or archived. ${SCOPES}`,
    scope: "contacts:write",
    ...one,
    body: CustomFieldPatch,
    errors: ["client_inactive"],
    reply: { status: 200, schema: CustomField },
    handle: (ctx, { params, body }) => updateField(ctx, params.id, body),
  }),
  route({
    operation: "custom_fields.archive",
    method: "DELETE",
    path: "/custom-fields/{id}",
    summary: "Archive a custom field",
    description: "Records keep their values of the field and take no new ones.",
    scope: "contacts:write",
    ...one,
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await updateField(ctx, params.id, { archived: true })),
  }),
];
