import { newId } from "../../src/kernel/ids.ts";
import type { World } from "./world.ts";

type Account = "expense" | "pending" | "held" | "approved" | "scheduled" | "cash" | "written_off";

/** A book that tests fill by hand, so that reading is shown without what writes it. */
export type TestBook = {
  /** Moves an amount from one account to another. */
  move(
    debit: Account,
    credit: Account,
    amount_cents: number,
    fields?: { currency?: string; commission_id?: string },
  ): Promise<void>;
  /** A commission, and its transfer into the account of its status. */
  accrue(fields?: Record<string, unknown>): Promise<string>;
  charge(client_id: string, fields?: Record<string, unknown>): Promise<string>;
};

export async function openBook({ db, clock }: World, partner_id: string): Promise<TestBook> {
  const balances = new Map<string, number>();
  let seq = 0;
  await db.sql("insert into books (partner_id) values ($1) on conflict do nothing", [partner_id]);
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    return db.sql(`insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`, Object.values(row));
  };
  const move: TestBook["move"] = async (
    debit,
    credit,
    amount_cents,
    { currency = "usd", commission_id = null as never } = {},
  ) => {
    const changed = (account: Account, by: number) => {
      const after = (balances.get(`${account} ${currency}`) ?? 0) + by;
      balances.set(`${account} ${currency}`, after);
      return after;
    };
    seq += 1;
    await insert("ledger_transfers", {
      partner_id,
      seq,
      transaction_id: newId("ledger_transaction", clock.now().getTime()),
      at: clock.now(),
      debit,
      credit,
      currency,
      amount_cents,
      debit_after: changed(debit, -amount_cents),
      credit_after: changed(credit, amount_cents),
      fact: "accrued",
      commission_id,
      actor_id: "system",
    });
  };
  return {
    move,
    async accrue(fields = {}) {
      const now = clock.now();
      const row = {
        partner_id,
        id: newId("commission", now.getTime()),
        kind: "recurring",
        level: 0,
        base_cents: 50_000,
        rate_bps: 1500,
        amount_cents: 7500,
        currency: "usd",
        grade: "silver",
        calculation: JSON.stringify([{ step: "share", input: 50_000, rule: 1500, result: 7500 }]),
        accrued_at: now,
        status: "pending",
        ...fields,
      };
      await insert("commissions", { cause: row.id, ...row });
      const { id: commission_id, currency, amount_cents } = row;
      const account = (row.status === "void" ? "pending" : row.status) as Account;
      if (amount_cents > 0) await move("expense", account, amount_cents, { currency, commission_id });
      else await move(account, "expense", -amount_cents, { currency, commission_id });
      return commission_id;
    },
    async charge(client_id, fields = {}) {
      const now = clock.now();
      const id = newId("charge", now.getTime());
      await insert("charges", {
        partner_id,
        id,
        external_id: id,
        client_id,
        source: "operator",
        amount_cents: 50_000,
        currency: "usd",
        months: 1,
        charged_at: now,
        created_at: now,
        outcome: "earned",
        ...fields,
      });
      return id;
    },
  };
}
