import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import {
  booksOf,
  type Closing,
  closedEarnings,
  closeEarning,
  type Earning,
  earnCharges,
  earningOfDeal,
  Journal,
  liveEarnings,
  openEarning,
  refundCharge,
  voidedCharges,
  type WonSale,
} from "../commissions/index.ts";
import type { Charge } from "./model.ts";
import { chargesOfRound, freeCharges, refundsOfCharges, saveCharges } from "./queries.ts";

/** What a sale earned at its win. `tell` records the events, after those of the deal. */
export type SaleEarned = { first_commission_cents: number; tell(): void };

/**
 * Opens what a won sale earns, once. Charges of the client since the deal was created that no sale earned are taken up; a sale that
 * had earned by charges before takes them up on the terms that it had. What the operator voided, a sale or a charge, earns again only
 * if it says so. The caller has locked the deal.
 */
export async function earnSale(
  ctx: Context,
  tx: Tx,
  sale: WonSale,
  created_at: Date,
  { despite_void }: { despite_void: boolean },
): Promise<SaleEarned | null> {
  const { partner_id, deal_id, client_id } = sale;
  const [last, live, closed] = await Promise.all([
    earningOfDeal(tx, partner_id, deal_id),
    liveEarnings(tx, partner_id, [client_id]),
    closedEarnings(tx, partner_id, client_id),
  ]);
  const again = last === null || last.end_reason === "reversed" || (last.end_reason === "voided" && despite_void);
  if (!again) return null;
  // Whose books are locked; what was voided in them is read once they are.
  const former = [...live.values(), ...closed].flatMap(booksOf);
  const journal = await Journal.open(ctx, tx, [...new Set([partner_id, ...sale.upline, ...former])]);
  const charges = await claimable(journal, sale, created_at, despite_void);
  const paid = last !== null && last.first_charge_id !== null && last.client_id === client_id;
  const kept = paid && charges.length > 0 ? last : null;
  const { earning, first_commission_cents } = await openEarning(journal, sale, (last?.round ?? 0) + 1, kept);
  await takeUp(journal, earning, charges);
  await journal.save();
  return { first_commission_cents, tell: () => journal.tell() };
}

/** The charges of a sale's client that it takes up. */
async function claimable(journal: Journal, { partner_id, client_id }: WonSale, since: Date, despite_void: boolean) {
  const charges = await freeCharges(journal.tx, partner_id, client_id, since);
  if (charges.length === 0 || despite_void) return charges;
  const closed = await closedEarnings(journal.tx, partner_id, client_id);
  const voided = await voidedCharges(
    journal,
    closed,
    charges.map(({ id }) => id),
  );
  return charges.filter(({ id }) => !voided.has(id));
}

async function takeUp(journal: Journal, earning: Earning, charges: Charge[]): Promise<void> {
  const { tx } = journal;
  const { partner_id, deal_id, round } = earning;
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
