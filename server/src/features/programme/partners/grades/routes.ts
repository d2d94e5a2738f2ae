import { operatorRoute, type Route, route } from "../../../../platform/http/route.ts";
import { listOwnTierChanges, listTierChanges } from "./commands.ts";
import { TierChangeList, TierChangeListQuery } from "./schema.ts";

const list = { method: "GET", query: TierChangeListQuery, reply: { status: 200, schema: TierChangeList } } as const;

/** For partners. */
export const gradeRoutes: Route[] = [
  route({
    ...list,
    operation: "account.list_tier_changes",
    path: "/account/tier-changes",
    summary: "List the changes of the partner's grade",
    description: "Newest first, with the certifications that the partner got and lost.",
    scope: "account:read",
    partner_wide: true,
    params: {},
    handle: (ctx, { query }) => listOwnTierChanges(ctx, query),
  }),
];

/** For the operator. */
export const gradeAdminRoutes: Route[] = [
  operatorRoute({
    ...list,
    operation: "partners.list_tier_changes",
    path: "/partners/{id}/tier-changes",
    summary: "List the changes of a partner's grade",
    description: "Newest first, with the certifications that the partner got and lost.",
    params: { id: "partner" },
    handle: (ctx, { params, query }) => listTierChanges(ctx, params.id, query),
  }),
];
