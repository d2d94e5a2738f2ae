import { operatorRoute, type Route, route } from "../../../platform/http/route.ts";
import { bookOf } from "../ledger/index.ts";
import { getAnyCommission, getCommission, listCommissions, summarise } from "./list.commands.ts";
import { allCommissionsPage } from "./list.queries.ts";
import {
  AllCommissionsQuery,
  CommissionList,
  CommissionListQuery,
  CommissionSummary,
  CommissionSummaryQuery,
  OperatorCommissionList,
} from "./list.schema.ts";
import { CommissionDetail, OperatorCommissionDetail } from "./schema.ts";

const own = { method: "GET", scope: "commissions:read", partner_wide: true } as const;
const ofPartner = { method: "GET", params: { id: "partner" }, exportable: true } as const;

const LIST =
  "Newest first. With `as_of`, the commissions recorded by then and their status at that time; `hold_until`, `hold_reason` and `payout_id` are null where the status has changed since.";
const SUMMARY = "Amounts accrued by month, client, kind or direct sub-partner, in each currency.";

export const commissionRoutes: Route[] = [
  route({
    ...own,
    operation: "commissions.list",
    path: "/deals/commissions",
    summary: "List commissions",
    description: LIST,
    params: {},
    query: CommissionListQuery,
    exportable: true,
    reply: { status: 200, schema: CommissionList },
    handle: (ctx, { query }) => listCommissions(ctx, ctx.scope.partner_id, "partner", query),
  }),
  route({
    ...own,
    operation: "commissions.summary",
    path: "/deals/commissions/summary",
    summary: "Summarise commissions",
    description: SUMMARY,
    params: {},
    query: CommissionSummaryQuery,
    exportable: true,
    reply: { status: 200, schema: CommissionSummary },
    handle: (ctx, { query }) => summarise(ctx, ctx.scope.partner_id, query),
  }),
  route({
    ...own,
    operation: "commissions.get",
    path: "/deals/commissions/{id}",
    summary: "Get a commission",
    description: "With its calculation, and the other rows of the same root.",
    params: { id: "commission" },
    reply: { status: 200, schema: CommissionDetail },
    handle: (ctx, { params }) => getCommission(ctx, params.id),
  }),
];

export const commissionListAdminRoutes: Route[] = [
  operatorRoute({
    operation: "operator_commissions.list",
    method: "GET",
    path: "/commissions",
    summary: "List commissions of all partners",
    description: "Newest first. The list of one partner also has the balances, filters by sale and `as_of`.",
    params: {},
    query: AllCommissionsQuery,
    exportable: true,
    reply: { status: 200, schema: OperatorCommissionList },
    handle: (ctx, { query }) => allCommissionsPage(ctx.db, query),
  }),
  operatorRoute({
    operation: "operator_commissions.get",
    method: "GET",
    path: "/commissions/{id}",
    summary: "Get a commission",
    description: "With its calculation, and the other rows of the same root.",
    params: { id: "commission" },
    reply: { status: 200, schema: OperatorCommissionDetail },
    handle: (ctx, { params }) => getAnyCommission(ctx, params.id),
  }),
  operatorRoute({
    ...ofPartner,
    operation: "operator_commissions.of_partner",
    path: "/partners/{id}/commissions",
    summary: "List the commissions of a partner",
    description: LIST,
    query: CommissionListQuery,
    reply: { status: 200, schema: OperatorCommissionList },
    handle: async (ctx, { params, query }) => listCommissions(ctx, (await bookOf(ctx, params.id)).partner_id, "operator", query),
  }),
  operatorRoute({
    ...ofPartner,
    operation: "operator_commissions.summary",
    path: "/partners/{id}/commissions/summary",
    summary: "Summarise the commissions of a partner",
    description: SUMMARY,
    query: CommissionSummaryQuery,
    reply: { status: 200, schema: CommissionSummary },
    handle: async (ctx, { params, query }) => summarise(ctx, (await bookOf(ctx, params.id)).partner_id, query),
  }),
];
