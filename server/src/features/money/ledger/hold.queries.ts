import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

/** Whether the operator keeps payouts of a book back, and why. */
export type PayoutHold = { held: boolean; reason: string | null; version: number };

/** A book that was not opened yet, as it will be. */
const UNOPENED: PayoutHold = { held: false, reason: null, version: 1 };

const COLUMNS = "payouts_held as held, hold_reason as reason, version";

const holdStatement = statement(`select ${COLUMNS} from books b where b.partner_id = $1`);

export async function payoutHold(db: Queryable, partner_id: string): Promise<PayoutHold> {
  const [hold] = await db.query<PayoutHold>(holdStatement, [partner_id]);
  return hold ?? UNOPENED;
}

const saveStatement = statement(`
  update books set payouts_held = $2, hold_reason = $3, version = version + 1 where partner_id = $1
  returning ${COLUMNS}`);

/** Saves the hold of a locked book. */
export async function savePayoutHold(tx: Tx, partner_id: string, hold: Omit<PayoutHold, "version">): Promise<PayoutHold> {
  const [saved] = await tx.query<PayoutHold>(saveStatement, [partner_id, hold.held, hold.reason]);
  if (saved === undefined) throw new Error(`the book of ${partner_id} is not locked`);
  return saved;
}
