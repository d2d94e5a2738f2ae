import { notFound } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { payoutCommissions } from "../commissions/index.ts";
import { payoutDetail } from "./list.queries.ts";
import { partnersOfPayouts } from "./queries.ts";

/** The partner that a payout belongs to. */
export async function ownerOf(ctx: Context, id: string): Promise<string> {
  return (await partnersOfPayouts(ctx.db.byKey, [id])).get(id) ?? notFound(id);
}

/** A payout of any partner's, for the operator. */
export async function getAnyPayout(ctx: Context, id: string) {
  return payoutDetail(ctx.db.byKey, await ownerOf(ctx, id), "operator", id);
}

/** The commissions of a payout, also of a cancelled one. */
export async function listPayoutCommissions(
  ctx: Context,
  partner_id: string,
  audience: "partner" | "operator",
  id: string,
  paging: { limit?: number; cursor?: string },
) {
  await payoutDetail(ctx.db.byKey, partner_id, audience, id);
  return payoutCommissions(ctx.db, partner_id, audience, id, paging);
}
