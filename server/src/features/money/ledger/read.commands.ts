import type { TenantScope } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import { getPartner } from "../../programme/partners/index.ts";
import { type Balance, balances } from "./accounts.queries.ts";
import { asOfTime } from "./as-of.model.ts";
import type { LedgerQuery } from "./schema.ts";

/** The book of any partner, for the operator; 404 for a partner that does not exist. */
export async function bookOf(ctx: Context, partner_id: string): Promise<TenantScope> {
  await getPartner(ctx, partner_id);
  return { partner_id, clients: "all" };
}

/** The balances of a book, now or at an instant. */
export async function readAccounts(ctx: Context, { partner_id }: TenantScope, { as_of }: LedgerQuery): Promise<{ json: string }> {
  const at = asOfTime(as_of, ctx.clock.now());
  const data = await balances(ctx.db.byKey, partner_id, at);
  return { json: JSON.stringify({ as_of: at ?? ctx.clock.now(), data }) };
}

/** The balances as debits and credits, with their totals. */
export async function readTrialBalance(
  ctx: Context,
  { partner_id }: TenantScope,
  { as_of }: LedgerQuery,
): Promise<{ json: string }> {
  const at = asOfTime(as_of, ctx.clock.now());
  const data = (await balances(ctx.db.byKey, partner_id, at)).map(withSides);
  const totals = [...new Set(data.map(({ currency }) => currency))].map((currency) => {
    const rows = data.filter((row) => row.currency === currency);
    const total = (side: "debit_cents" | "credit_cents") => rows.reduce((sum, row) => sum + row[side], 0);
    return { currency, debit_cents: total("debit_cents"), credit_cents: total("credit_cents") };
  });
  return { json: JSON.stringify({ as_of: at ?? ctx.clock.now(), data, totals }) };
}

function withSides({ account, currency, balance_cents }: Balance) {
  return {
    account,
    currency,
    debit_cents: Math.max(0, -balance_cents),
    credit_cents: Math.max(0, balance_cents),
    balance_cents,
  };
}
