import type { BookCheck } from "../../charges/index.ts";
import { checkItems, checkStatements, checkTransfers } from "./model.ts";
import { itemsOf, lastStatement, payoutsOf, payoutTransfers, unlisted } from "./queries.ts";

/** Compares the payouts of a book with their commissions, transfers and statements. */
export const checkPayouts: BookCheck = async (tx, partner_id) => {
  const [payouts, last, loose, transfers] = await Promise.all([
    payoutsOf(tx, partner_id),
    lastStatement(tx, partner_id),
    unlisted(tx, partner_id),
    payoutTransfers(tx, partner_id),
  ]);
  const found = checkStatements(payouts, last);
  for (const { id, payout_id } of loose)
    found.push({ table: "commissions", id, problem: "no payout contains it", expected: payout_id, found: null });
  const moved = Map.groupBy(transfers, ({ payout_id }) => payout_id);
  for (const payout of payouts) {
    found.push(...checkItems(payout, await itemsOf(tx, partner_id, payout.id)));
    found.push(...checkTransfers(payout, moved.get(payout.id) ?? []));
    moved.delete(payout.id);
  }
  for (const id of moved.keys())
    found.push({ table: "ledger_transfers", id, problem: "the payout is missing", expected: id, found: null });
  return found;
};
