import type { TenantScope } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { addClient, applySale } from "../../accounts/clients/index.ts";
import { earnSale, type SaleEarned, unearnSale } from "../../money/charges/index.ts";
import { reviewGrade } from "../../money/standing/index.ts";
import { claimCompany } from "./claims/commands.ts";
import { releaseClaims } from "./claims/queries.ts";
import { type Deal, refuseField } from "./model.ts";
import { clientChurnedAt, saveDeal } from "./queries.ts";
import { registerDeal, renewRegistration } from "./registration/commands.ts";
import { dealWon } from "./sale.events.ts";

/** Registers a sale that was just inserted, and wins it where it begins in a won stage. */
export async function openSale(ctx: Context, tx: Tx, inserted: Deal): Promise<Deal> {
  const deal = await registerDeal(ctx, tx, inserted);
  if (deal.status !== "won") return deal;
  const client_id = await provisionClient(ctx, tx, deal);
  const won = (await saveDeal(tx, ctx.scope, deal, { ...deal, client_id })) ?? deal;
  await recordWin(ctx, tx, null, won);
  return won;
}

/**
 * What the move of a sale causes: a win creates the client, a loss releases the company, and a sale that is open again claims it again.
 * Returns the deal to save.
 */
export async function moveSale(ctx: Context, tx: Tx, before: Deal, after: Deal): Promise<Deal> {
  if (after.status === before.status) return after;
  const sale = { partner_id: ctx.scope.partner_id, deal_id: after.id };
  if (before.status === "won") await unearnSale(ctx, tx, sale, { reason: `deal_${after.status}`, held: "refuse" });
  if (after.status === "won") return { ...after, client_id: await provisionClient(ctx, tx, after) };
  if (after.status === "open") return { ...after, registration: await renewRegistration(ctx, tx, after) };
  await releaseClaims(tx, ctx.scope, after.id);
  return after;
}

/**
 * Makes a client of the company of a won sale, or sells to the client that the sale names, which holds the company from then on.
 * A sale whose protection has ended can still be won, unless another deal or client has the company.
 */
async function provisionClient(ctx: Context, tx: Tx, deal: Deal): Promise<string> {
  const client_id = await clientSoldTo(ctx, tx, deal);
  await claimCompany(tx, ctx.scope, { deal_id: deal.id, client_id, until: null }, deal);
  return client_id;
}

async function clientSoldTo(ctx: Context, tx: Tx, deal: Deal): Promise<string> {
  const { id, company, plan, mrr_cents, currency, client_id, contact } = deal;
  if (company === null) throw new Error(`the deal ${id} has no company`);
  const sold = { plan, mrr_cents: mrr_cents ?? 0, currency };
  const known = contact !== null && Object.keys(contact).length > 0 ? contact : null;
  if (client_id === null) return (await addClient(ctx, tx, { company, contact: known, ...sold }, id)).id;
  const client = await applySale(ctx, tx, client_id, sold);
  return client?.id ?? refuseField("client_id", "unknown_client", `The client ${client_id} was not found.`);
}

/** Records a win: what it earns, the event of the first one, and the grade that it may lead to. */
export async function recordWin(ctx: Context, tx: Tx, before: Deal | null, after: Deal): Promise<void> {
  if (after.status !== "won" || before?.status === "won") return;
  const earned = await earn(ctx, tx, ctx.scope, after);
  const first = (before?.first_won_at ?? null) === null;
  const won = dealWon(ctx.scope.partner_id, after, earned?.first_commission_cents ?? 0);
  if (first) tx.tell(ctx.scope.partner_id, { events: [won] });
  earned?.tell();
  await reviewGrade(ctx, tx, ctx.scope.partner_id);
}

/** Opens what a won sale earns, if its registration is approved and it does not earn yet. */
export async function earn(
  ctx: Context,
  tx: Tx,
  scope: TenantScope,
  deal: Deal,
  options = { despite_void: false },
): Promise<SaleEarned | null> {
  const { id, client_id, plan, mrr_cents, currency, registration, created_at, affiliate_link_id: link_id } = deal;
  if (deal.status !== "won" || client_id === null || registration?.status !== "approved") return null;
  const sale = { partner_id: scope.partner_id, deal_id: id, client_id, link_id, plan, mrr_cents: mrr_cents ?? 0, currency };
  const churned_at = await clientChurnedAt(tx, scope, client_id);
  return earnSale(ctx, tx, { ...sale, upline: registration.upline, churned_at }, new Date(created_at), options);
}
