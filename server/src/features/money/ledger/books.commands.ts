import { actorOf } from "../../../kernel/principal.ts";
import type { Query } from "../../../platform/db/statement.ts";
import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { balanceKey, headOf, lockBooks, type Transfer, transfersQuery } from "./books.queries.ts";
import { type Posting, signed } from "./model.ts";

/** The locked books of some partners, to which amounts are posted. */
export type Books = {
  /** Posts an amount. One with a negative sign goes the other way; none is posted for zero. */
  post(partner_id: string, posting: Posting): void;
  /** The inserts of what was posted, with the balances after each. */
  transfers(): Promise<Query[]>;
};

/**
 * Opens and locks the books of some partners. A book is locked before anything of it is read, and books in the order of their ids:
 * so changes of one book happen one after another, and two transactions over several books cannot wait for each other.
 */
export async function openBooks(ctx: Context, tx: Tx, partner_ids: readonly string[]): Promise<Books> {
  await lockBooks(tx, partner_ids);
  const posted = new Map<string, Posting[]>(partner_ids.map((id) => [id, []]));
  const actor_id = actorOf(ctx.principal).id;
  return {
    post(partner_id, posting) {
      const book = posted.get(partner_id);
      if (book === undefined) throw new Error(`the book of ${partner_id} is not locked`);
      if (posting.amount_cents !== 0) book.push(signed(posting));
    },
    async transfers() {
      const used = [...posted].filter(([, postings]) => postings.length > 0);
      return Promise.all(used.map(([partner_id, postings]) => transfersOf(tx, partner_id, postings, actor_id)));
    },
  };
}

/** Numbers postings without a gap and adds the balances of both accounts. The time of a book never goes back. */
async function transfersOf(tx: Tx, partner_id: string, postings: readonly Posting[], actor_id: string): Promise<Query> {
  const head = await headOf(tx, partner_id, [...new Set(postings.map(({ currency }) => currency))]);
  const transaction_id = tx.newId("ledger_transaction");
  const at = head.at !== null && head.at > tx.now ? head.at : tx.now;
  const changed = (key: string, by: number) => {
    const after = (head.balances.get(key) ?? 0) + by;
    head.balances.set(key, after);
    return after;
  };
  const transfers = postings.map((posting, index): Transfer => {
    const { debit, credit, currency, amount_cents } = posting;
    const debit_after = changed(balanceKey(debit, currency), -amount_cents);
    const credit_after = changed(balanceKey(credit, currency), amount_cents);
    const about = { commission_id: posting.commission_id ?? null, payout_id: posting.payout_id ?? null };
    return { transaction_id, actor_id, ...posting, ...about, seq: head.seq + index + 1, at, debit_after, credit_after };
  });
  return transfersQuery(partner_id, transfers);
}
