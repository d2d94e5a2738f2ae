import { type Route, route } from "../../../platform/http/route.ts";
import { bulkChange } from "../records/index.ts";
import { timelineRoutesOf } from "../timeline/index.ts";
import { contactBulk } from "./bulk.commands.ts";
import { ContactBulk, ContactBulkResult } from "./bulk.schema.ts";
import { contactTimeline, createContact, deleteContact, getContact, updateContact } from "./commands.ts";
import { getConsents, setConsents } from "./consent/commands.ts";
import { ConsentPut, Consents } from "./consent/schema.ts";
import { duplicatesPage } from "./duplicates.queries.ts";
import { DuplicateList, DuplicatesQuery } from "./duplicates.schema.ts";
import { eraseContact } from "./erase.commands.ts";
import { contactsPage } from "./list.queries.ts";
import { ContactList, ContactListQuery } from "./list.schema.ts";
import { mergeContacts, undoMerge } from "./merge/commands.ts";
import { Merge, MergeRequest, Unmerged } from "./merge/schema.ts";
import { Contact, ContactCreate, ContactPatch } from "./schema.ts";
import { changeContactSettings, getContactSettings } from "./settings/commands.ts";
import { ContactSettings, ContactSettingsPatch, ContactSettingsQuery } from "./settings/schema.ts";
import { upsertContact } from "./upsert.commands.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "contact" } } as const;

export const contactRoutes: Route[] = [
  route({
    operation: "contacts.list",
    method: "GET",
    path: "/contacts",
    summary: "List contacts",
    description: "Filter by custom fields with `custom.<key>=value`.",
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
    operation: "contacts.get_settings",
    method: "GET",
    path: "/contacts/settings",
    summary: "Get the contact settings of an account",
    scope: "contacts:read",
    ...none,
    query: ContactSettingsQuery,
    errors: ["account_required"],
    reply: { status: 200, schema: ContactSettings },
    handle: (ctx, { query }) => getContactSettings(ctx, query),
  }),
  route({
    operation: "contacts.change_settings",
    method: "PATCH",
    path: "/contacts/settings",
    summary: "Share phones between contacts",
    description: "With `shared_phones`, several contacts of the account may have the same phone.",
    scope: "contacts:write",
    ...none,
    unversioned: true,
    body: ContactSettingsPatch,
    errors: ["account_required", "client_inactive", "resource_in_use"],
    reply: { status: 200, schema: ContactSettings },
    handle: (ctx, { body }) => changeContactSettings(ctx, body),
  }),
  route({
    operation: "contacts.upsert",
    method: "POST",
    path: "/contacts/upsert",
    summary: "Upsert a contact",
    description:
      "Updates the contact with the same phone, e-mail or external id, or creates one. Tags are added to the existing ones; other fields that are provided replace their values.",
    scope: "contacts:write",
    ...none,
    body: ContactCreate,
    errors: ["duplicate_contact", "ambiguous_match", "client_inactive", "account_required", "invalid_phone"],
    reply: { status: 200, or_created: true, schema: Contact, location: (id) => `/contacts/${id}` },
    handle: (ctx, { body }) => upsertContact(ctx, body),
  }),
  route({
    operation: "contacts.bulk",
    method: "POST",
    path: "/contacts/bulk",
    summary: "Change contacts in bulk",
    description: "Creates, updates, deletes, tags or untags up to 500 contacts. Each has its own result, as if requested alone.",
    scope: "contacts:write",
    ...none,
    body: ContactBulk,
    reply: { status: 200, schema: ContactBulkResult },
    handle: (ctx, { body }) => bulkChange(contactBulk, ctx, body),
  }),
  route({
    operation: "contacts.duplicates",
    method: "GET",
    path: "/contacts/duplicates",
    summary: "List likely duplicates",
    description:
      "Pairs of contacts that are likely the same person. A page compares `limit` contacts with the older ones of their account, so it may be empty although there are more pages.",
    scope: "contacts:read",
    ...none,
    query: DuplicatesQuery,
    reply: { status: 200, schema: DuplicateList },
    handle: (ctx, { query }) => duplicatesPage(ctx.db, ctx.scope, query),
  }),
  route({
    operation: "contacts.undo_merge",
    method: "POST",
    path: "/contacts/merges/{id}/undo",
    summary: "Undo a merge",
    description: "Restores both contacts. Possible for 30 days, while neither has changed since.",
    scope: "contacts:write",
    partner_wide: false,
    params: { id: "merge" },
    errors: ["merge_not_undoable", "client_inactive"],
    reply: { status: 200, schema: Unmerged },
    handle: (ctx, { params }) => undoMerge(ctx, params.id),
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
    summary: "Update a contact",
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
    description: "The contact is erased 30 days later.",
    scope: "contacts:write",
    ...one,
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteContact(ctx, params.id)),
  }),
  route({
    operation: "contacts.merge",
    method: "POST",
    path: "/contacts/{id}/merge",
    summary: "Merge contacts",
    description:
      "Merges another contact into this one. The contact keeps its own fields and takes those that it lacks from the other; tags are combined, and a denied consent stays denied.",
    scope: "contacts:write",
    ...one,
    body: MergeRequest,
    errors: ["client_inactive"],
    reply: { status: 200, schema: Merge },
    handle: (ctx, { params, body }) => mergeContacts(ctx, params.id, body),
  }),
  route({
    operation: "contacts.erase",
    method: "POST",
    path: "/contacts/{id}/erase",
    summary: "Erase a contact",
    description:
      "Erases all personal data of the contact, and of those that were merged into it, for good. Works for deleted contacts too.",
    scope: "contacts:write",
    ...one,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await eraseContact(ctx, params.id)),
  }),
  route({
    operation: "contacts.get_consent",
    method: "GET",
    path: "/contacts/{id}/consent",
    summary: "Get the consents of a contact",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, schema: Consents },
    handle: (ctx, { params }) => getConsents(ctx, params.id),
  }),
  route({
    operation: "contacts.set_consent",
    method: "PUT",
    path: "/contacts/{id}/consent",
    summary: "Set the consents of a contact",
    description: "Channels that are not provided keep their consent.",
    scope: "contacts:write",
    ...one,
    body: ConsentPut,
    errors: ["client_inactive"],
    reply: { status: 200, schema: Consents },
    handle: (ctx, { params, body }) => setConsents(ctx, params.id, body),
  }),
  ...timelineRoutesOf({ ...contactTimeline, kind: "contact", read: "contacts:read", write: "contacts:write" }),
];
