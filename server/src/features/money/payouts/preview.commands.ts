import type { Context } from "../../../platform/record/context.ts";
import { dueOfAll } from "../commissions/index.ts";
import { blockersOf, netOf } from "./model.ts";
import { partnerStates } from "./queries.ts";
import { refuseFuture } from "./run.commands.ts";
import { runBefore, type Totals } from "./run.queries.ts";

const ROWS_MAX = 500;

/** What a run would schedule now, and what would block it. Nothing is written. */
export async function previewRun(ctx: Context, input: { cutoff?: string }): Promise<{ json: string }> {
  const now = ctx.clock.now();
  const cutoff = input.cutoff === undefined ? now : new Date(input.cutoff);
  if (cutoff > now) refuseFuture();
  const dues = await dueOfAll(ctx.db, cutoff, await runBefore(ctx.db, null, now));
  const states = await partnerStates(ctx.db, [...new Set(dues.map(({ partner_id }) => partner_id))]);
  const scheduled: Totals = {};
  const blocked = new Map<string, Set<string>>();
  const rows = dues.flatMap(({ partner_id, first_at: _, count, currency, ...amounts }) => {
    const state = states.get(partner_id);
    if (state === undefined) return [];
    const net_cents = netOf(amounts);
    const blockers = blockersOf(state, currency, { ...amounts, count, currency, first_at: now });
    for (const { code } of blockers) blocked.set(code, (blocked.get(code) ?? new Set()).add(partner_id));
    if (blockers.length === 0) {
      const { payouts, net_cents: sum } = scheduled[currency] ?? { payouts: 0, net_cents: 0 };
      scheduled[currency] = { payouts: payouts + 1, net_cents: sum + net_cents };
    }
    const { company, method_kind: method } = state;
    return [{ partner_id, company, currency, ...amounts, net_cents, commission_count: count, method, blockers }];
  });
  rows.sort((a, b) => Math.sign(a.blockers.length) - Math.sign(b.blockers.length) || b.net_cents - a.net_cents);
  const reply = {
    cutoff,
    scheduled: Object.entries(scheduled)
      .toSorted()
      .map(([currency, total]) => ({ currency, ...total })),
    blocked: [...blocked].toSorted().map(([code, partners]) => ({ code, partners: partners.size })),
    data: rows.slice(0, ROWS_MAX),
    rows_total: rows.length,
  };
  return { json: JSON.stringify(reply) };
}
