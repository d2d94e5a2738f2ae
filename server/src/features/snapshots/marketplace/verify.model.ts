import { shareDown } from "../../../kernel/money.ts";
import type { Found } from "../../money/charges/index.ts";
import { purchaseCause } from "../../money/commissions/index.ts";

/** A completed sale of a snapshot. */
export type Sold = {
  id: string;
  price_cents: number;
  currency: string;
  share_bps: number;
  seller_share_cents: number;
  commission_id: string | null;
};

/** A commission by such a sale. */
export type Accrued = { id: string; cause: string; base_cents: number; rate_bps: number; amount_cents: number; currency: string };

/** Whether each sale has the one commission that its price and share make, and each commission its sale. */
export function checkSales(sold: readonly Sold[], accrued: readonly Accrued[]): Found[] {
  const found: Found[] = [];
  const byCause = new Map(accrued.map((row) => [row.cause, row]));
  for (const sale of sold) {
    const { id, price_cents, share_bps, seller_share_cents, currency } = sale;
    const expected = shareDown(price_cents, share_bps);
    if (seller_share_cents !== expected)
      found.push({
        table: "snapshot_purchases",
        id,
        problem: "it is not the seller's share",
        expected,
        found: seller_share_cents,
      });
    const commission = byCause.get(purchaseCause(id));
    byCause.delete(purchaseCause(id));
    const value = commission === undefined ? "nothing" : accruedText(commission);
    const due =
      expected === 0
        ? "nothing"
        : accruedText({ base_cents: price_cents, rate_bps: share_bps, amount_cents: expected, currency });
    if (value !== due)
      found.push({
        table: "snapshot_purchases",
        id,
        problem: "the commission is not what it makes",
        expected: due,
        found: value,
      });
    if ((commission?.id ?? null) !== sale.commission_id)
      found.push({
        table: "snapshot_purchases",
        id,
        problem: "it names another commission",
        expected: commission?.id ?? null,
        found: sale.commission_id,
      });
  }
  for (const { id, cause } of byCause.values())
    found.push({ table: "commissions", id, problem: "no completed purchase caused it", expected: null, found: cause });
  return found;
}

function accruedText({ base_cents, rate_bps, amount_cents, currency }: Omit<Accrued, "id" | "cause">): string {
  return `${amount_cents} ${currency}, ${rate_bps} basis points of ${base_cents}`;
}
