import { type Claimed, type ClaimedStatus, claimDue, claimedRoots, insertItems, payClaimed } from "./claims.queries.ts";
import type { Journal } from "./journal.commands.ts";
import type { Status } from "./model.ts";

/** Claims what is due to a partner in one currency for a payout that was inserted. Tells of each commission. */
export async function claim(
  journal: Journal,
  partner_id: string,
  { currency, cutoff, payout_id }: { currency: string; cutoff: Date; payout_id: string },
): Promise<Claimed[]> {
  const [claimed] = await Promise.all([
    claimDue(journal.tx, partner_id, currency, cutoff, payout_id),
    insertItems(journal.tx, partner_id, payout_id),
  ]);
  tellMoves(journal, partner_id, claimed, "approved", "scheduled");
  return claimed;
}

/** What a payout has claimed is paid. */
export async function payClaim(journal: Journal, partner_id: string, payout_id: string): Promise<void> {
  tellMoves(journal, partner_id, await payClaimed(journal.tx, partner_id, payout_id), "scheduled", "paid");
}

/** Frees what a payout has claimed. What was taken back meanwhile may be void now. The journal tells of it. */
export async function releaseClaim(journal: Journal, partner_id: string, payout_id: string): Promise<void> {
  const roots = await claimedRoots(journal.tx, partner_id, payout_id);
  for (const group of await journal.loadRoots(partner_id, roots)) journal.unclaim(group, payout_id);
}

function tellMoves(journal: Journal, partner_id: string, rows: readonly Claimed[], from: Status, to: ClaimedStatus): void {
  const account_id = journal.partner(partner_id).house_account_id;
  const detail = { from, to, reason: null };
  const changes = rows.map(
    ({ id, version }) => ({ resource: "commission", id, version, account_id, change: "moved", detail }) as const,
  );
  journal.tx.tell(partner_id, { changes });
}
