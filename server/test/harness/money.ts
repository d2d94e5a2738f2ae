import { setPayoutMethod } from "../../src/features/money/payouts/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { createContext } from "../../src/platform/record/context.ts";
import type { World } from "./world.ts";

type Account = "expense" | "pending" | "held" | "approved" | "scheduled" | "cash" | "written_off";
type Fields = Record<string, unknown>;

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
  accrue(fields?: Fields): Promise<string>;
  /** A charge, of any client of the partner's unless one is named. */
  charge(fields?: Fields): Promise<string>;
};

export async function openBook(world: World, partner_id: string): Promise<TestBook> {
  await world.db.sql("insert into books (partner_id) values ($1) on conflict do nothing", [partner_id]);
  const move: TestBook["move"] = (debit, credit, amount_cents, { currency = "usd", commission_id } = {}) =>
    transfer(world, partner_id, { debit, credit, currency, amount_cents, commission_id });
  return {
    move,
    async accrue(fields) {
      const { id, status, currency, amount_cents } = await commission(world, partner_id, fields);
      const account = status === "void" ? "pending" : status;
      const [debit, credit]: [Account, Account] = amount_cents > 0 ? ["expense", account] : [account, "expense"];
      await move(debit, credit, Math.abs(amount_cents), { currency, commission_id: id });
      return id;
    },
    charge: (fields) => charge(world, partner_id, fields),
  };
}

export const IBAN = "DE89370400440532013000";

/** Sets where a partner is paid. Gives the id of the method. */
export async function newPayoutMethod({ app }: World, partner_id: string, method: object = {}): Promise<string> {
  const ctx = createContext(app.services, { principal: { type: "system", partner_id } });
  const input = { kind: "sepa", holder: "Test Agency GmbH", iban: IBAN, ...method } as const;
  return JSON.parse((await setPayoutMethod(ctx, partner_id, input)).json).id;
}

/** A payout in euro with two commissions, in a run and a file of its own. */
export async function newPayout(world: World, partner_id: string, status: "scheduled" | "failed" = "scheduled") {
  const { db, clock, app } = world;
  const now = clock.now();
  const [run_id, export_id, id] = (["payout_run", "payout_export", "payout"] as const).map((kind) => newId(kind, now.getTime()));
  const started = { created_by: "system", created_at: now, state: "finished", finished_at: now };
  await insert(world, "payout_runs", { id: run_id, slot: run_id, cutoff: now, scheduled_for: now, ...started });
  const content = app.services.sealer.seal("reference,amount\r\n", `payout export ${export_id}`);
  await insert(world, "payout_exports", { id: export_id, run_id, format: "csv", content, ...started });
  const method_id = await newPayoutMethod(world, partner_id);
  const book = await openBook(world, partner_id);
  const [numbered] = await db.sql<{ statement_seq: number }>(
    "update books set statement_seq = statement_seq + 1 where partner_id = $1 returning statement_seq",
    [partner_id],
  );
  const amounts = { currency: "eur", gross_cents: 15_000, adjustments_cents: 0, carry_in_cents: 0, net_cents: 15_000 };
  const times = { period_from: now, period_to: now, scheduled_for: now, created_at: now, updated_at: now };
  const row = { partner_id, id, run_id, ...numbered, ...amounts, ...times, commission_count: 2, status, attempt: 1 };
  // At once, since lists of all partners are read meanwhile, and a payout without an attempt would be a fault.
  const [payout, values] = insertion("payouts", row);
  const [method, payout_id, at] = [1, 2, 3].map((place) => `$${values.length + place}`);
  await db.sql(
    `with made as (${payout})
     insert into payout_attempts (partner_id, payout_id, attempt, method_id, kind, holder, details, hint, started_at)
     select partner_id, ${payout_id}, 1, id, kind, holder, details, hint, ${at}::timestamptz from payout_methods where partner_id = $1 and id = ${method}`,
    [...values, method_id, id, now],
  );
  for (const amount_cents of [7500, 7500]) {
    const commission_id = await book.accrue({ status: "scheduled", currency: "eur", amount_cents, payout_id: id });
    await insert(world, "payout_items", { partner_id, payout_id: id, commission_id, amount_cents });
  }
  return { payout: id, payout_run: run_id, payout_export: export_id };
}

function insertion(table: string, row: Fields): [text: string, values: unknown[]] {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  return [`insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`, Object.values(row)];
}

const insert = ({ db }: World, table: string, row: Fields) => db.sql(...insertion(table, row));

/** A transfer with the balances after it, summed anew each time. */
function transfer({ db, clock }: World, partner_id: string, fields: Fields): Promise<void> {
  const { debit, credit, currency, amount_cents, commission_id = null } = fields;
  const balanceOf = (
    account: string,
  ) => `(select coalesce(sum(case when t.credit = ${account} then t.amount_cents else -t.amount_cents end), 0)
    from ledger_transfers t where t.partner_id = $1 and t.currency = $6::text and ${account} in (t.debit, t.credit))`;
  return db
    .sql(
      `insert into ledger_transfers (partner_id, transaction_id, at, debit, credit, currency, amount_cents, commission_id, seq,
         debit_after, credit_after, fact, actor_id)
       select $1, $2, $3::timestamptz, $4::text, $5::text, $6::text, $7::bigint, $8, (select coalesce(max(t.seq), 0) + 1 from ledger_transfers t where t.partner_id = $1),
         ${balanceOf("$4::text")} - $7::bigint, ${balanceOf("$5::text")} + $7::bigint, 'accrued', 'system'`,
      [
        partner_id,
        newId("ledger_transaction", clock.now().getTime()),
        clock.now(),
        debit,
        credit,
        currency,
        amount_cents,
        commission_id,
      ],
    )
    .then(() => undefined);
}

async function commission(world: World, partner_id: string, fields: Fields = {}) {
  const now = world.clock.now();
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
    calculation: JSON.stringify([
      { step: "rate", input: { base_cents: 50_000, bps: 1500 }, rule: "Silver, version 1", result: 7500 },
    ]),
    accrued_at: now,
    status: "pending" as Account | "void",
    ...fields,
  };
  await insert(world, "commissions", { cause: row.id, ...row });
  return row;
}

async function charge(world: World, partner_id: string, fields: Fields = {}): Promise<string> {
  const now = world.clock.now();
  const id = newId("charge", now.getTime());
  const [client] = await world.db.sql<{ id: string }>("select id from clients where partner_id = $1 limit 1", [partner_id]);
  await insert(world, "charges", {
    partner_id,
    id,
    external_id: id,
    client_id: client?.id,
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
}
