import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { bookOf } from "../ledger/index.ts";
import { getAnyCharge, getCharge, listAllCharges } from "./list.commands.ts";
import { chargesPage } from "./list.queries.ts";
import { AllChargesQuery, ChargeList, ChargeListQuery } from "./list.schema.ts";
import { ChargeDetail } from "./schema.ts";

export const chargeRoutes: Route[] = [
  route({
    operation: "charges.list",
    method: "GET",
    path: "/charges",
    summary: "List charges",
    description: "What your clients paid, the latest first, and whether it earned commissions.",
    scope: "commissions:read",
    partner_wide: true,
    params: {},
    query: ChargeListQuery,
    exportable: true,
    reply: { status: 200, schema: ChargeList },
    handle: (ctx, { query }) => chargesPage(ctx.db, ctx.scope, query),
  }),
  route({
    operation: "charges.get",
    method: "GET",
    path: "/charges/{id}",
    summary: "Get a charge",
    description: "With its refunds, and the commissions that it earned.",
    scope: "commissions:read",
    partner_wide: true,
    params: { id: "charge" },
    reply: { status: 200, schema: ChargeDetail },
    handle: (ctx, { params }) => getCharge(ctx, ctx.scope.partner_id, params.id),
  }),
];

export const chargeListAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_charges.list",
    method: "GET",
    path: "/charges",
    summary: "List charges of all partners",
    description: "The latest first.",
    params: {},
    query: AllChargesQuery,
    exportable: true,
    reply: { status: 200, schema: ChargeList },
    handle: (ctx, { query }) => listAllCharges(ctx, query),
  }),
  operatorRoute({
    operation: "operator_charges.get",
    method: "GET",
    path: "/charges/{id}",
    summary: "Get a charge",
    description: "With its refunds, and the commissions that the partner of the client earned by it.",
    params: { id: "charge" },
    reply: { status: 200, schema: ChargeDetail },
    handle: (ctx, { params }) => getAnyCharge(ctx, params.id),
  }),
  operatorRoute({
    operation: "operator_charges.of_partner",
    method: "GET",
    path: "/partners/{id}/charges",
    summary: "List the charges of a partner",
    description: "The latest first.",
    params: { id: "partner" },
    query: ChargeListQuery,
    exportable: true,
    reply: { status: 200, schema: ChargeList },
    handle: async (ctx, { params, query }) => chargesPage(ctx.db, await bookOf(ctx, params.id), query),
  }),
];
