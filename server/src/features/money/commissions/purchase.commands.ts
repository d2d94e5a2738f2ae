import type { Journal } from "./journal.commands.ts";
import { addDays, type Commission } from "./model.ts";
import { programmeTerms } from "./queries.ts";

/** A purchase whose price the operator has received, as the marketplace hands it over. */
export type CompletedPurchase = {
  id: string;
  seller_partner_id: string;
  price_cents: number;
  currency: string;
  share_bps: number;
  seller_share_cents: number;
};

export const purchaseCause = (purchase_id: string): string => `purchase:${purchase_id}`;

/** Adds what the seller earns by a purchase, pending until its hold is over. Nobody above the seller earns by it. */
export async function accruePurchase(journal: Journal, purchase: CompletedPurchase): Promise<Commission | null> {
  const { tx } = journal;
  const { id, seller_partner_id: partner_id, price_cents, currency, share_bps, seller_share_cents } = purchase;
  const { hold_days } = await programmeTerms(tx, journal.partner(partner_id).grade);
  const of_sale = { deal_id: null, round: null, client_id: null, charge_id: null };
  const origin = { source_commission_id: null, source_partner_id: null, origin_partner_id: null, origin_commission_id: null };
  const input = { price_cents, bps: share_bps, purchase_id: id };
  return journal.addRoot(
    {
      ...of_sale,
      ...origin,
      partner_id,
      cause: purchaseCause(id),
      kind: "marketplace",
      level: 0,
      base_cents: price_cents,
      rate_bps: share_bps,
      amount_cents: seller_share_cents,
      currency,
      rule: null,
      calculation: [{ step: "rate", input, rule: "marketplace_share_bps", result: seller_share_cents }],
      reason_code: null,
      status: "pending",
      hold_until: addDays(tx.now, hold_days),
    },
    "accrued",
  );
}
