import { fail } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { getLink } from "./commands.ts";
import { type LinkStatsQuery, STATS_DAYS_MAX } from "./schema.ts";
import { type LinkDay, linkDays } from "./stats.queries.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const COUNTS = ["clicks", "unique", "bots", "repeats", "leads", "deals", "won"] as const;

/** What happened to a link day by day, and in total. */
export async function linkStats(ctx: Context, id: string, query: LinkStatsQuery): Promise<{ json: string }> {
  const { to = dayOf(ctx.clock.now().getTime()) } = query;
  const { from = dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS) } = query;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) refuseRange("to must not be before from.");
  if (days > STATS_DAYS_MAX) refuseRange(`from and to must be at most ${STATS_DAYS_MAX} days apart.`);
  await getLink(ctx, id);
  const data = await linkDays(ctx.db, ctx.scope, id, from, to);
  return { json: JSON.stringify({ link_id: id, from, to, data, totals: totalsOf(data) }) };
}

function totalsOf(data: readonly LinkDay[]) {
  const counts = COUNTS.map((name) => [name, data.reduce((sum, day) => sum + day[name], 0)]);
  const sums = new Map<string, number>();
  for (const { commissions } of data)
    for (const { currency, amount_cents } of commissions) sums.set(currency, (sums.get(currency) ?? 0) + amount_cents);
  const commissions = [...sums].sort().map(([currency, amount_cents]) => ({ currency, amount_cents }));
  return { ...Object.fromEntries(counts), commissions };
}

function dayOf(time_ms: number): string {
  return new Date(time_ms).toISOString().slice(0, 10);
}

function refuseRange(detail: string): never {
  fail("invalid_parameter", { detail, faults: [{ in: "query", pointer: "#/from", code: "range", detail }] });
}
