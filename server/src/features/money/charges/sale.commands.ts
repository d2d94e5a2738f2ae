import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import {
  booksOf,
  type Closing,
  closeEarning,
  type Earning,
  earnCharges,
  earningOfDeal,
  Journal,
  liveEarnings,
  openEarning,
  refundCharge,
  type WonSale,
} from "../commissions/index.ts";
import { chargesOfRound, freeCharges, refundsOfCharges, saveCharges } from "./queries.ts";

/** What a sale earned at its win. `tell` records the events, after those of the deal. */
export type SaleEarned = { first_commission_cents: number; tell(): void };

/**
 * Opens what a won sale earns, once. One of which the operator voided something earns again only if it says so. Charges of the client since the deal was created that no sale earned are taken up. The
 * caller has locked the deal.
 */
export async function earnSale(
  ctx: Context,
  tx: Tx,
  sale: WonSale,
  created_at: Date,
  { despite_void }: { despite_void: boolean },
): Promise<SaleEarned | null> {
  const { partner_id, deal_id, client_id } = sale;
  const [last, live] = await Promise.all([earningOfDeal(tx, partner_id, deal_id), liveEarnings(tx, partner_id, [client_id])]);
  const again = last === null || last.end_reason === "reversed" || (last.end_reason === "voided" && despite_void);
  if (!again) return null;
  const former = [...live.values()].flatMap(booksOf);
  const journal = await Journal.open(ctx, tx, [...new Set([partner_id, ...sale.upline, ...former])]);
  const { earning, first_commission_cents } = await openEarning(journal, sale, (last?.round ?? 0) + 1);
  await takeUp(journal, earning, created_at);
  await journal.save();
  return { first_commission_cents, tell: () => journal.tell() };
}

async function takeUp(journal: Journal, earning: Earning, since: Date): Promise<void> {
  const { tx } = journal;
  const { partner_id, deal_id, round } = earning;
  const charges = await freeCharges(tx, partner_id, earning.client_id, since);
  if (charges.length === 0) return;
  const refunds = await refundsOfCharges(
    tx,
    partner_id,
    charges.map(({ id }) => id),
  );
  const outcomes = await earnCharges(
    journal,
    charges.map((charge) => ({ earning, charge })),
  );
  for (const [index, charge] of charges.entries()) {
    Object.assign(charge, { deal_id, round }, outcomes[index]);
    const own = refunds.filter(({ charge_id, applied_cents }) => charge_id === charge.id && applied_cents > 0);
    await refundCharge(journal, earning, charge, 0, own);
  }
  await saveCharges(tx, partner_id, charges);
}

/** Takes back everything that a sale earned, and frees its charges. The caller has locked the deal. */
export async function unearnSale(
  ctx: Context,
  tx: Tx,
  { partner_id, deal_id }: Pick<WonSale, "partner_id" | "deal_id">,
  closing: Omit<Closing, "charge_ids">,
): Promise<void> {
  const known = await earningOfDeal(tx, partner_id, deal_id);
  if (known === null || known.end_reason === "reversed" || known.end_reason === "voided") return;
  const journal = await Journal.open(ctx, tx, booksOf(known));
  const earning = (await earningOfDeal(tx, partner_id, deal_id)) ?? known;
  const charges = await chargesOfRound(tx, partner_id, deal_id, earning.round);
  await closeEarning(journal, earning, { ...closing, charge_ids: charges.map(({ id }) => id) });
  const freed = charges.map((charge) => ({ ...charge, deal_id: null, round: null, levels: 0, outcome: "no_sale" as const }));
  await saveCharges(tx, partner_id, freed);
  await journal.save();
  journal.tell();
}
