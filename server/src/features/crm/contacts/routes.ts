import { type Route, route } from "../../../platform/http/route.ts";
import { bulkChange } from "../records/index.ts";
import { timelineRoutesOf } from "../timeline/index.ts";
import { contactBulk } from "./bulk.commands.ts";
import { ContactBulk, ContactBulkResult } from "./bulk.schema.ts";
import { contactTimeline, createContact, deleteContact, getContact, updateContact } from "./commands.ts";
import { getConsents, setConsents } from "./consent/commands.ts";
import { ConsentPut, Consents } from "./consent/schema.ts";
import { listDuplicates } from "./duplicates/commands.ts";
import { DuplicateList, DuplicatesQuery } from "./duplicates/schema.ts";
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
    operation: "contacts.get_settings",
    method: "GET",
    path: "/contacts/settings",
    summary: "See how an account keeps its contacts",
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
    summary: "Let several contacts of an account have one phone, or no longer",
    scope: "contacts:write",
    ...none,
    body: ContactSettingsPatch,
    errors: ["account_required", "client_inactive", "resource_in_use"],
    reply: { status: 200, schema: ContactSettings },
    handle: (ctx, { body }) => changeContactSettings(ctx, body),
  }),
  route({
    operation: "contacts.upsert",
    method: "POST",
    path: "/contacts/upsert",
    summary: "Change the contact with this phone, e-mail or external id, or create it",
    description: "Tags are added to those that are there; all else that is given takes the place of what was.",
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
    summary: "Create, change, delete, tag or untag up to 500 contacts",
    description: "Each has its own result, as if it had been called for alone.",
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
    summary: "Find pairs of contacts that are likely one person",
    description:
      "A page compares as many contacts as `limit` says with the older ones of their account; it may have no pairs and still not be the last.",
    scope: "contacts:read",
    ...none,
    query: DuplicatesQuery,
    reply: { status: 200, schema: DuplicateList },
    handle: (ctx, { query }) => listDuplicates(ctx, query),
  }),
  route({
    operation: "contacts.undo_merge",
    method: "POST",
    path: "/contacts/merges/{id}/undo",
    summary: "Undo a merge: both contacts are again as they were",
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
  route({
    operation: "contacts.merge",
    method: "POST",
    path: "/contacts/{id}/merge",
    summary: "Merge another contact into this one",
    description:
      "The contact keeps its own fields and takes the other's where it has none; tags are added, and a denied consent stays denied.",
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
    summary: "Erase a contact for good",
    description:
      "Also one that is deleted, and those that were merged into it. Nothing personal is left, and nothing can be undone.",
    scope: "contacts:write",
    ...one,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await eraseContact(ctx, params.id)),
  }),
  route({
    operation: "contacts.get_consent",
    method: "GET",
    path: "/contacts/{id}/consent",
    summary: "Get a contact's consent for each channel, and its history",
    scope: "contacts:read",
    ...one,
    reply: { status: 200, schema: Consents },
    handle: (ctx, { params }) => getConsents(ctx, params.id),
  }),
  route({
    operation: "contacts.set_consent",
    method: "PUT",
    path: "/contacts/{id}/consent",
    summary: "Set a contact's consent for some channels",
    description: "Channels that are left out stay as they are.",
    scope: "contacts:write",
    ...one,
    body: ConsentPut,
    errors: ["client_inactive"],
    reply: { status: 200, schema: Consents },
    handle: (ctx, { params, body }) => setConsents(ctx, params.id, body),
  }),
  ...timelineRoutesOf({ ...contactTimeline, kind: "contact", read: "contacts:read", write: "contacts:write" }),
];
