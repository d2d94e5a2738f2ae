import { type Route, route } from "../../../platform/http/route.ts";
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
    handle: (ctx, { query }) => leadsPage(ctx.db, ctx.scope, query),
  }),
  route({
    operation: "leads.create",
    method: "POST",
    path: "/leads",
    summary: "Create a lead",
    description: "It takes a name, a phone, an e-mail address or your own id: any one of them is enough.",
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
    summary: "Change the lead with this phone, e-mail or external id, or create it",
    description:
      "Tags are added to those that are there; all else that is given takes the place of what was. A converted lead is found by its external id alone.",
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
    summary: "Create, change, delete, tag or untag up to 500 leads",
    description: "Each has its own result, as if it had been called for alone.",
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
    summary: "Get the rules that an account's leads are scored by",
    description: "An account begins with rules that suit most; `updated_at` is null until it has its own.",
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
    summary: "Set the rules that an account's leads are scored by",
    description: "A few hundred leads are scored again at once, more within minutes: `rescoring` says whether that goes on.",
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
    summary: "Change a lead",
    description: "Also its status: new, working, qualified, or disqualified with a `reason`, and from there working again.",
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
    summary: "See how a lead's score comes about",
    description:
      "By the rules and the time as they are now: a lead's own `score` is of its last change, and of last night at the latest.",
    scope: "leads:read",
    ...one,
    reply: { status: 200, schema: LeadScore },
    handle: (ctx, { params }) => explainScore(ctx, params.id),
  }),
  route({
    operation: "leads.convert",
    method: "POST",
    path: "/leads/{id}/convert",
    summary: "Make a contact of a lead, and a deal if one is wanted",
    description:
      "A contact that has the phone or the e-mail already is the one: it gets what it lacks, and the lead's tags. Asked again, it answers with what came of it the first time. The key needs `contacts:write` too, and `deals:write` for a deal.",
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
    ],
    reply: { status: 200, schema: Converted },
    handle: (ctx, { params, body }) => convertLead(ctx, params.id, body),
  }),
  route({
    operation: "leads.unconvert",
    method: "POST",
    path: "/leads/{id}/unconvert",
    summary: "Take a conversion back: lead and contact are again as they were, and the deal is gone",
    description: "The key needs `contacts:write` too, and `deals:write` where there is a deal.",
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
    summary: "Erase a lead for good",
    description: "Also one that is deleted. Nothing personal is left of it; the contact that it became is erased by itself.",
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
