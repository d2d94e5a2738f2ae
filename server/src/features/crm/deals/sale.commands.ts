import { actorOf } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Deal, Move } from "./model.ts";
import { dealOrNull, saveDeal } from "./queries.ts";
import { provisionClient, reclaimSale, registerSale, releaseSale } from "./registration/commands.ts";
import type { Sale } from "./registration/model.ts";
import { dealStageChanged, dealWon } from "./sale.events.ts";

/** A deal of the house account as the registration of its company knows it. */
export function saleOf(deal: Deal): Sale {
  const { id, company, company_domain, contact, plan, mrr_cents, currency, client_id, pipeline_id, stage } = deal;
  return { deal_id: id, company, company_domain, contact, plan, mrr_cents, currency, client_id, pipeline_id, stage };
}

/** Registers a sale that was just added, and closes it where it begins in a stage that is closed. */
export async function openSale(ctx: Context, tx: Tx, deal: Deal): Promise<Deal> {
  await registerSale(ctx, tx, saleOf(deal));
  if (deal.status === "lost") await releaseSale(ctx, tx, deal.id);
  const made = (await dealOrNull(tx, ctx.scope, deal.id, tx.now)) ?? deal;
  if (deal.status !== "won") return made;
  const client_id = await provisionClient(ctx, tx, saleOf(made));
  const won = (await saveDeal(tx, ctx.scope, { ...made, client_id })) ?? made;
  await tellWin(ctx, tx, null, won);
  return won;
}

/**
 * A sale is about to stand in another stage, which is told before what it brings about: a win makes the client, a loss lets the
 * company go, and a sale that is open again takes it back. Gives the deal as it is to be saved.
 */
export async function moveSale(ctx: Context, tx: Tx, before: Deal, after: Deal, move: Move): Promise<Deal> {
  const next = { ...after, version: before.version + 1 };
  tx.tell(ctx.scope.partner_id, { events: [dealStageChanged(ctx.scope.partner_id, next, move, actorOf(ctx.principal).id)] });
  if (after.status === before.status) return after;
  if (after.status === "won") return { ...after, client_id: await provisionClient(ctx, tx, saleOf(after)) };
  if (after.status === "lost") await releaseSale(ctx, tx, after.id);
  else await reclaimSale(ctx, tx, saleOf(after));
  return after;
}

/** Tells a win the first time, with what it earned. */
export async function tellWin(ctx: Context, tx: Tx, before: Deal | null, after: Deal): Promise<void> {
  if (after.status !== "won" || before?.status === "won") return;
  const first_commission_cents = await accrueFirstCommission(ctx, tx, after);
  if ((before?.first_won_at ?? null) !== null) return;
  tx.tell(ctx.scope.partner_id, { events: [dealWon(ctx.scope.partner_id, after, first_commission_cents)] });
}

/** What a won sale earns its partner. Nothing, as long as the programme has no commissions: this is where they begin. */
async function accrueFirstCommission(_ctx: Context, _tx: Tx, _deal: Deal): Promise<number> {
  return 0;
}
