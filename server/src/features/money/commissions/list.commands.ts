import { notFound } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { asOfTime, type Balance, balances } from "../ledger/index.ts";
import { commissionDetailOrNull } from "./detail.queries.ts";
import { type Audience, commissionsPage } from "./list.queries.ts";
import type { CommissionListQuery, CommissionSummaryQuery } from "./list.schema.ts";
import { partnerOfCommission } from "./queries.ts";
import { commissionSummary } from "./summary.queries.ts";

/** A page of the commissions of a partner, with the balances of its ledger if they are asked for. */
export async function listCommissions(ctx: Context, partner_id: string, audience: Audience, query: CommissionListQuery) {
  const as_of = asOfTime(query.as_of, ctx.clock.now());
  const page = await commissionsPage(ctx.db, partner_id, audience, query, as_of);
  if (query.summary !== true) return page;
  const summary = byCurrency(await balances(ctx.db.byKey, partner_id, as_of));
  return { json: `${page.json.slice(0, -1)},"summary":${JSON.stringify(summary)}}` };
}

function byCurrency(accounts: Balance[]) {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const balanceOf = (wanted: Balance["account"]) =>
      accounts.find((row) => row.account === wanted && row.currency === currency)?.balance_cents ?? 0;
    return {
      currency,
      pending_cents: balanceOf("pending"),
      held_cents: balanceOf("held"),
      approved_cents: balanceOf("approved"),
      scheduled_cents: balanceOf("scheduled"),
      paid_cents: balanceOf("cash"),
    };
  });
}

export async function getCommission(ctx: Context, id: string) {
  return (await commissionDetailOrNull(ctx.db.byKey, ctx.scope.partner_id, "partner", id)) ?? notFound(id);
}

/** A commission of any partner's, for the operator. */
export async function getAnyCommission(ctx: Context, id: string) {
  const partner_id = (await partnerOfCommission(ctx.db.byKey, id)) ?? notFound(id);
  return (await commissionDetailOrNull(ctx.db.byKey, partner_id, "operator", id)) ?? notFound(id);
}

/** The months of a summary, the current one included. */
const MONTHS = 12;

/**
 * Amounts by month, client, kind or sub-partner, of the last twelve months unless the caller chooses others. There is nothing before
 * 1970 and after this month, so that the number of months is bounded.
 */
export async function summarise(ctx: Context, partner_id: string, query: CommissionSummaryQuery): Promise<{ json: string }> {
  const now = ctx.clock.now();
  const monthStart = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString();
  const { group_by = "month", currency, accrued_after = monthStart(1 - MONTHS), accrued_before = monthStart(1) } = query;
  const within = (time: string) => new Date(Math.min(Math.max(Date.parse(time), 0), Date.parse(monthStart(1)))).toISOString();
  const range = { accrued_after: within(accrued_after), accrued_before: within(accrued_before) };
  return { json: await commissionSummary(ctx.db, partner_id, group_by, { currency, ...range }) };
}
