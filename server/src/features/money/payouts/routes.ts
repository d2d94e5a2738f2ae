import { type Route, route } from "../../../platform/http/route.ts";
import { closed, page } from "../../../platform/http/shapes.ts";
import { Type } from "../../../platform/http/type.ts";
import { CommissionList } from "../commissions/index.ts";
import { listPayoutCommissions } from "./list.commands.ts";
import { payoutDetail, payoutsPage } from "./list.queries.ts";
import { PayoutDetail, PayoutList, PayoutListQuery, UpcomingPayouts } from "./schema.ts";
import { payoutStatement } from "./statement.commands.ts";
import { upcomingPayouts } from "./upcoming.commands.ts";

const own = { method: "GET", scope: "payouts:read", partner_wide: true } as const;
const one = { ...own, params: { id: "payout" } } as const;

export const payoutRoutes: Route[] = [
  route({
    ...own,
    operation: "payouts.upcoming",
    path: "/payouts/upcoming",
    summary: "Get the upcoming payouts",
    description: "By currency: what is owed in which state, what the next run would pay, and each reason why it would not.",
    params: {},
    reply: { status: 200, schema: UpcomingPayouts },
    handle: (ctx) => upcomingPayouts(ctx, ctx.principal),
  }),
  route({
    ...own,
    operation: "payouts.list",
    path: "/payouts",
    summary: "List payouts",
    description: "Newest first.",
    params: {},
    query: PayoutListQuery,
    exportable: true,
    reply: { status: 200, schema: PayoutList },
    handle: (ctx, { query }) => payoutsPage(ctx.db, ctx.scope.partner_id, "partner", query),
  }),
  route({
    ...one,
    operation: "payouts.get",
    path: "/payouts/{id}",
    summary: "Get a payout",
    description: "With its attempts.",
    reply: { status: 200, schema: PayoutDetail },
    handle: (ctx, { params }) => payoutDetail(ctx.db.byKey, ctx.scope.partner_id, "partner", params.id),
  }),
  route({
    ...one,
    operation: "payouts.commissions",
    path: "/payouts/{id}/commissions",
    summary: "List the commissions of a payout",
    description: "Newest first. Those of a cancelled payout may be in a later one, too.",
    query: Type.Object(page, closed),
    exportable: true,
    reply: { status: 200, schema: CommissionList },
    handle: (ctx, { params, query }) => listPayoutCommissions(ctx, ctx.scope.partner_id, "partner", params.id, query),
  }),
  route({
    ...one,
    operation: "payouts.statement",
    path: "/payouts/{id}/statement",
    summary: "Get the statement of a payout",
    description: "A PDF with every commission that it pays.",
    reply: { status: 200, stream: "pdf" },
    handle: (ctx, { params }) => payoutStatement(ctx, ctx.scope.partner_id, params.id, "pdf"),
  }),
  route({
    ...one,
    operation: "payouts.statement_csv",
    path: "/payouts/{id}/statement.csv",
    summary: "Get the statement of a payout as CSV",
    description: "The rows of the statement, for a spreadsheet.",
    reply: { status: 200, stream: "csv" },
    handle: (ctx, { params }) => payoutStatement(ctx, ctx.scope.partner_id, params.id, "csv"),
  }),
];
