import { type Route, route } from "../../../platform/http/route.ts";
import { checkInclude } from "../contacts/index.ts";
import { bulkChange } from "../records/index.ts";
import { timelineRoutesOf } from "../timeline/index.ts";
import { leadBulk } from "./bulk.commands.ts";
import { LeadBulk, LeadBulkResult } from "./bulk.schema.ts";
import { createLead, deleteLead, getLead, leadTimeline, updateLead } from "./commands.ts";
import { convertLead, unconvertLead } from "./convert/commands.ts";
import { Converted, ConvertRequest } from "./convert/schema.ts";
import { eraseLead } from "./erase.commands.ts";
import { leadsPage } from "./list.queries.ts";
import { LeadList, LeadListQuery } from "./list.schema.ts";
import { Lead, LeadCreate, LeadPatch } from "./schema.ts";
import { explainScore, getScoring, setScoring } from "./scoring/commands.ts";
import { LeadScore, Scoring, ScoringPut, ScoringQuery } from "./scoring/schema.ts";
import { upsertLead } from "./upsert.commands.ts";

const none = { partner_wide: false, params: {} } as const;
const one = { partner_wide: false, params: { id: "lead" } } as const;

const all: Route[] = [
  route({
    operation: "leads.list",
    method: "GET",
    path: "/leads",
    summary: "List leads",
    description: "Custom fields are filters too: `custom.<key>=value`.",
    scope: "leads:read",
    ...none,
    query: LeadListQuery,
    exportable: true,
    reply: { status: 200, schema: LeadList },
    handle: (ctx, { query }) => {
      checkInclude(ctx, query);
      return leadsPage(ctx.db, ctx.scope, query);
    },
  }),
  route({
    operation: "leads.create",
    method: "POST",
    path: "/leads",
    summary: "Create a lead",
    description: "At least one of name, phone, email and external_id is required.",
    scope: "leads:write",
    ...none,
    body: LeadCreate,
    errors: ["duplicate_lead", "client_inactive", "account_required", "invalid_phone"],
    reply: { status: 201, schema: Lead, location: (id) => `/leads/${id}` },
    handle: (ctx, { body }) => createLead(ctx, body),
  }),
  route({
    operation: "leads.upsert",
    method: "POST",
    path: "/leads/upsert",
    summary: "Upsert a lead",
    description:
      "Updates the lead with this phone, e-mail or external id, or creates it. Tags are added to the existing ones; all other fields that are sent replace the existing values. A converted lead is matched by its external id only.",
    scope: "leads:write",
    ...none,
    body: LeadCreate,
    errors: [
      "duplicate_lead",
      "ambiguous_match",
      "invalid_state_transition",
      "client_inactive",
      "account_required",
      "invalid_phone",
    ],
    reply: { status: 200, or_created: true, schema: Lead, location: (id) => `/leads/${id}` },
    handle: (ctx, { body }) => upsertLead(ctx, body),
  }),
  route({
    operation: "leads.bulk",
    method: "POST",
    path: "/leads/bulk",
    summary: "Create, update, delete, tag or untag leads in bulk",
    description: "Up to 500 leads. Each has its own result, as if it were the only one.",
    scope: "leads:write",
    ...none,
    body: LeadBulk,
    reply: { status: 200, schema: LeadBulkResult },
    handle: (ctx, { body }) => bulkChange(leadBulk, ctx, body),
  }),
  route({
    operation: "leads.get_scoring",
    method: "GET",
    path: "/leads/scoring",
    summary: "Get the lead scoring rules of an account",
    description: "Every account starts with default rules; `updated_at` is null until it sets its own.",
    scope: "leads:read",
    ...none,
    query: ScoringQuery,
    errors: ["account_required", "not_found"],
    reply: { status: 200, schema: Scoring },
    handle: (ctx, { query }) => getScoring(ctx, query.account_id),
  }),
  route({
    operation: "leads.set_scoring",
    method: "PUT",
    path: "/leads/scoring",
    summary: "Set the lead scoring rules of an account",
    description: "The first 500 leads are rescored at once, the others within minutes; `rescoring` is true until all are done.",
    scope: "leads:write",
    ...none,
    body: ScoringPut,
    if_match_required: true,
    errors: ["client_inactive", "account_required"],
    reply: { status: 200, schema: Scoring },
    handle: (ctx, { body }) => setScoring(ctx, body),
  }),
];

const each: Route[] = [
  route({
    operation: "leads.get",
    method: "GET",
    path: "/leads/{id}",
    summary: "Get a lead",
    scope: "leads:read",
    ...one,
    reply: { status: 200, schema: Lead },
    handle: (ctx, { params }) => getLead(ctx, params.id),
  }),
  route({
    operation: "leads.update",
    method: "PATCH",
    path: "/leads/{id}",
    summary: "Update a lead",
    description:
      "Including its status: from new to working to qualified, from any of these to disqualified with a `reason`, and back to working.",
    scope: "leads:write",
    ...one,
    body: LeadPatch,
    errors: ["duplicate_lead", "invalid_state_transition", "client_inactive", "invalid_phone"],
    reply: { status: 200, schema: Lead },
    handle: (ctx, { params, body }) => updateLead(ctx, params.id, body),
  }),
  route({
    operation: "leads.delete",
    method: "DELETE",
    path: "/leads/{id}",
    summary: "Delete a lead",
    scope: "leads:write",
    ...one,
    errors: ["client_inactive"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteLead(ctx, params.id)),
  }),
  route({
    operation: "leads.score",
    method: "GET",
    path: "/leads/{id}/score",
    summary: "Explain the score of a lead",
    description:
      "Calculated by the current rules and time. The stored `score` of a lead is updated with each change, and every night.",
    scope: "leads:read",
    ...one,
    reply: { status: 200, schema: LeadScore },
    handle: (ctx, { params }) => explainScore(ctx, params.id),
  }),
  route({
    operation: "leads.convert",
    method: "POST",
    path: "/leads/{id}/convert",
    summary: "Convert a lead to a contact",
    description:
      "And to a deal, if `deal` is sent. An existing contact with the phone or the e-mail is used and completed with the fields that it lacks and the tags of the lead. The operation is idempotent: repeating it returns the first result. The key also needs `contacts:write`, and `deals:write` for a deal.",
    scope: "leads:write",
    ...one,
    body: ConvertRequest,
    body_optional: true,
    errors: [
      "invalid_state_transition",
      "ambiguous_match",
      "duplicate_contact",
      "phone_required",
      "invalid_phone",
      "duplicate_deal",
      "deal_conflict",
      "registration_limit_reached",
      "stage_not_in_pipeline",
      "stage_rule_violation",
      "client_inactive",
      "commission_locked",
    ],
    reply: { status: 200, schema: Converted },
    handle: (ctx, { params, body }) => convertLead(ctx, params.id, body),
  }),
  route({
    operation: "leads.unconvert",
    method: "POST",
    path: "/leads/{id}/unconvert",
    summary: "Undo the conversion of a lead",
    description:
      "Restores the lead and the contact, and deletes the deal. Possible for 24 hours, unless something has changed since. The key also needs `contacts:write`, and `deals:write` if there is a deal.",
    scope: "leads:write",
    ...one,
    errors: ["conversion_not_undoable", "client_inactive"],
    reply: { status: 200, schema: Lead },
    handle: (ctx, { params }) => unconvertLead(ctx, params.id),
  }),
  route({
    operation: "leads.erase",
    method: "POST",
    path: "/leads/{id}/erase",
    summary: "Erase a lead",
    description: "Removes all personal data permanently, also of a deleted lead. Its contact must be erased separately.",
    scope: "leads:write",
    ...one,
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await eraseLead(ctx, params.id)),
  }),
];

export const leadRoutes: Route[] = [
  ...all,
  ...each,
  ...timelineRoutesOf({ ...leadTimeline, kind: "lead", read: "leads:read", write: "leads:write" }),
];
