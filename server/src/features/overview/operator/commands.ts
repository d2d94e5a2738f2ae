import type { Context } from "../../../platform/record/context.ts";
import { nextSlot, payoutSettings } from "../../money/payouts/index.ts";
import { newestActions } from "../../outbox/audit-log/index.ts";
import { getHealth } from "../../programme/operators/index.ts";
import { programmeFigures, RECENT } from "./queries.ts";

/** The programme at a glance: each part is JSON already. */
export async function getOperatorOverview(ctx: Context): Promise<{ json: string }> {
  const now = ctx.clock.now();
  const [figures, payouts, health, audit] = await Promise.all([
    programmeFigures(ctx.db, now),
    payoutSettings(ctx.db, ""),
    getHealth(ctx),
    newestActions(ctx, RECENT),
  ]);
  const members = [
    `"as_of":"${now.toISOString()}"`,
    ...Object.entries(figures).map(([name, json]) => `"${name}":${json}`),
    `"next_payout_run_at":${JSON.stringify(nextSlot(payouts.cron, payouts.time_zone, now))}`,
    `"health":${health.json}`,
    `"recent":${audit.json}`,
  ];
  return { json: `{${members.join(",")}}` };
}
