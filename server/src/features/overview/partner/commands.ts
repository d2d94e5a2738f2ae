import { readableTypes } from "../../../kernel/events.ts";
import type { CallerContext } from "../../../platform/http/route.ts";
import { balances, decided, firstMonthAt, lastMonths, wonByMonth } from "./model.ts";
import { needsOf } from "./needs.queries.ts";
import {
  type Base,
  baseOf,
  type ClientCount,
  clientCounts,
  closedDeals,
  type MonthMovement,
  movementsSince,
  openDeals,
  recentEvents,
} from "./queries.ts";
import type { Overview } from "./schema.ts";

/** The business at a glance: each part where the caller has its scope. */
export async function getOverview(ctx: CallerContext): Promise<{ json: string }> {
  const now = ctx.clock.now();
  const { scopes } = ctx.principal;
  const base = await baseOf(ctx.db, ctx.scope);
  const [clients, deals, needs, recent] = await Promise.all([
    scopes.has("clients:read") ? clientPart(ctx, base, now) : {},
    scopes.has("deals:read") ? dealPart(ctx, base, now) : {},
    needsOf(ctx.db, { scope: ctx.scope, house_account_id: base.house_account_id, scopes, now }),
    scopes.has("events:read")
      ? recentEvents(ctx.db, ctx.scope, readableTypes(ctx.principal), scopes.has("audit:read"), now)
      : null,
  ]);
  const parts = JSON.stringify({ as_of: now.toISOString(), ...clients, ...deals });
  const counts = JSON.stringify(Object.fromEntries(needs.map(({ kind, count }) => [kind, count])));
  const items = needs.map((need) => need.items.slice(1, -1)).join(",");
  const last = recent === null ? "" : `,"recent":${recent}`;
  return { json: `${parts.slice(0, -1)},"needs":{"counts":${counts},"items":[${items}]}${last}}` };
}

type Parts = Pick<Overview, "clients" | "mrr" | "pipeline" | "last_90_days" | "won">;

async function clientPart(ctx: CallerContext, { movements_since }: Base, now: Date): Promise<Parts> {
  const [counts, movements] = await Promise.all([
    clientCounts(ctx.db, ctx.scope),
    movementsSince(ctx.db, ctx.scope, firstMonthAt(now)),
  ]);
  const months = lastMonths(now, movements_since);
  const numberOf = (status: ClientCount["status"]) =>
    counts.reduce((sum, row) => sum + (row.status === status ? row.clients : 0), 0);
  const active = numberOf("active");
  const changes = movements.map(({ month, clients }) => ({ month, change: clients }));
  const values = balances(active, changes, months);
  return {
    clients: {
      ...{ pending: numberOf("pending"), active, suspended: numberOf("suspended"), churned: numberOf("churned") },
      months: months.map((month, index) => ({ month, active: values[index] ?? 0 })),
    },
    mrr: revenueOf(counts, movements, months),
  };
}

/** The revenue in each currency that has or had any. */
function revenueOf(counts: readonly ClientCount[], movements: readonly MonthMovement[], months: readonly string[]) {
  const currencies = [...new Set([...counts, ...movements].filter(hasRevenue).map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const revenue = (status: ClientCount["status"]) =>
      counts.find((row) => row.currency === currency && row.status === status)?.mrr_cents ?? 0;
    const changes = movements
      .filter((row) => row.currency === currency)
      .map(({ month, mrr_cents }) => ({ month, change: mrr_cents }));
    const mrr_cents = revenue("active");
    const values = balances(mrr_cents, changes, months);
    return {
      currency,
      mrr_cents,
      suspended_mrr_cents: revenue("suspended"),
      change_cents: changes.find(({ month }) => month === months.at(-1))?.change ?? 0,
      months: months.map((month, index) => ({ month, mrr_cents: values[index] ?? 0 })),
    };
  });
}

const hasRevenue = (row: ClientCount | MonthMovement) =>
  "status" in row ? row.mrr_cents !== 0 && (row.status === "active" || row.status === "suspended") : row.mrr_cents !== 0;

async function dealPart(ctx: CallerContext, { house_account_id }: Base, now: Date): Promise<Parts> {
  const [open, closed] = await Promise.all([
    openDeals(ctx.db, ctx.scope, house_account_id, now),
    closedDeals(ctx.db, ctx.scope, house_account_id, firstMonthAt(now)),
  ]);
  const sum = (of: "deals" | "over_target") => open.reduce((total, row) => total + row[of], 0);
  return {
    pipeline: {
      deals: sum("deals"),
      over_target: sum("over_target"),
      totals: open.map(({ currency, deals, mrr_cents, amount_cents }) => ({ currency, deals, mrr_cents, amount_cents })),
    },
    last_90_days: decided(closed, now),
    won: wonByMonth(closed, lastMonths(now, new Date(0))),
  };
}
