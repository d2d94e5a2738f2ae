import { type Route, route } from "../../platform/http/route.ts";
import { createContact, deleteContact, getContact, updateContact } from "./commands.ts";
import { contactsPage } from "./list/queries.ts";
import { ContactList, ContactListQuery } from "./list/schema.ts";
import { Contact, ContactCreate, ContactPatch } from "./schema.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "contact" } } as const;

export const contactRoutes: Route[] = [
  route({
    operation: "contacts.list",
    method: "GET",
    path: "/contacts",
    summary: "List contacts",
    description: "Custom fields are filters too: `custom.<key>=value`.",
    scope: "contacts:read",
    ...none,
    query: ContactListQuery,
    exportable: true,
    reply: { status: 200, schema: ContactList },
    handle: (ctx, { query }) => contactsPage(ctx.db, ctx.scope, query),
  }),
  route({
    operation: "contacts.create",
    method: "POST",
    path: "/contacts",
    summary: "Create a contact",
    scope: "contacts:write",
    ...none,
    body: ContactCreate,
    errors: ["duplicate_contact", "client_inactive", "account_required", "invalid_phone"],
    reply: { status: 201, schema: Contact, location: (id) => `/contacts/${id}` },
    handle: (ctx, { body }) => createContact(ctx, body),
  }),
  route({
    operation: "contacts.get",
    method: "GET",
    path: "/contacts/{id}",
    summary: "Get a contact",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, schema: Contact },
    handle: (ctx, { params }) => getContact(ctx, params.id),
  }),
  route({
    operation: "contacts.update",
    method: "PATCH",
    path: "/contacts/{id}",
    summary: "Change a contact",
    scope: "contacts:write",
    ...one,
    body: ContactPatch,
    errors: ["duplicate_contact", "client_inactive", "invalid_phone"],
    reply: { status: 200, schema: Contact },
    handle: (ctx, { params, body }) => updateContact(ctx, params.id, body),
  }),
  route({
    operation: "contacts.delete",
    method: "DELETE",
    path: "/contacts/{id}",
    summary: "Delete a contact",
    scope: "contacts:write",
    ...one,
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteContact(ctx, params.id)),
  }),
];
