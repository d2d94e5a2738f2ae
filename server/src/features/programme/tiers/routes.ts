import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { createTier, deleteTier, getTier, listTiers, listTiersForPartner, updateTier } from "./commands.ts";
import { Tier, TierCreate, TierList, TierPatch } from "./schema.ts";

export const tierRoutes: Route[] = [
  route({
    operation: "tiers.list",
    method: "GET",
    path: "/tiers",
    summary: "List the tiers of the programme",
    description: "In ascending order, with what each requires, its benefits and its rate.",
    scope: "account:read",
    partner_wide: true,
    params: {},
    reply: { status: 200, schema: TierList },
    handle: (ctx) => listTiersForPartner(ctx),
  }),
];

const one = { path: "/tiers/{grade}", params: { grade: "grade" } } as const;

export const tierAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_tiers.list",
    method: "GET",
    path: "/tiers",
    summary: "List tiers",
    description: "In ascending order. A benefit that is null is as the programme says.",
    params: {},
    reply: { status: 200, schema: TierList },
    handle: (ctx) => listTiers(ctx),
  }),
  operatorRoute({
    operation: "operator_tiers.create",
    method: "POST",
    path: "/tiers",
    summary: "Create a tier",
    params: {},
    body: TierCreate,
    errors: ["duplicate_tier"],
    reply: { status: 201, schema: Tier, location: (grade) => `/tiers/${grade}` },
    handle: (ctx, { body }) => createTier(ctx, body),
  }),
  operatorRoute({
    operation: "operator_tiers.get",
    method: "GET",
    ...one,
    summary: "Get a tier",
    reply: { status: 200, schema: Tier },
    handle: (ctx, { params }) => getTier(ctx, params.grade),
  }),
  operatorRoute({
    operation: "operator_tiers.update",
    method: "PATCH",
    ...one,
    summary: "Update a tier",
    description: "`requirements` is replaced as a whole. The rate is changed by the grade's commission rule.",
    if_match_required: true,
    body: TierPatch,
    errors: ["duplicate_tier"],
    reply: { status: 200, schema: Tier },
    handle: (ctx, { params, body }) => updateTier(ctx, params.grade, body),
  }),
  operatorRoute({
    operation: "operator_tiers.delete",
    method: "DELETE",
    ...one,
    summary: "Delete a tier",
    description: "Refused while partners have the grade, or an active rule or a certification names it.",
    errors: ["resource_in_use"],
    reply: { status: 204 },
    handle: async (ctx, { params }) => void (await deleteTier(ctx, params.grade)),
  }),
];
