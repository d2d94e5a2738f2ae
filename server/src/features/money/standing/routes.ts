import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { getStanding } from "./commands.ts";
import { TierStanding } from "./schema.ts";

export const standingRoutes: Route[] = [
  route({
    operation: "account.get_tier",
    method: "GET",
    path: "/account/tier",
    summary: "Get the partner's tier",
    description: "The grade, progress to the next one, and what is missing. The values are counted at the time of the request.",
    scope: "account:read",
    partner_wide: true,
    params: {},
    reply: { status: 200, schema: TierStanding },
    handle: (ctx) => getStanding(ctx, ctx.scope.partner_id),
  }),
];

/** For the operator. */
export const standingAdminRoutes: Route[] = [
  operatorRoute({
    operation: "partners.get_tier",
    method: "GET",
    path: "/partners/{id}/tier",
    summary: "Get a partner's tier",
    description: "The grade, progress to the next one, and what is missing. The values are counted at the time of the request.",
    params: { id: "partner" },
    reply: { status: 200, schema: TierStanding },
    handle: (ctx, { params }) => getStanding(ctx, params.id),
  }),
];
