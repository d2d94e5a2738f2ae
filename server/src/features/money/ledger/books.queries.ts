import { insertRows } from "../../../platform/db/insert-rows.ts";
import { type Query, type Queryable, statement } from "../../../platform/db/statement.ts";
import { ACCOUNTS, type Account } from "./model.ts";

const openStatement = statement("insert into books (partner_id) values ($1) on conflict do nothing");
const lockStatement = statement("select b.version from books b where b.partner_id = $1 for no key update");

/** Opens books that do not exist yet, and locks them in the order of the partners' ids, in one flight. */
export async function lockBooks(tx: Queryable, partner_ids: readonly string[]): Promise<void> {
  const sorted = [...new Set(partner_ids)].sort();
  await Promise.all(sorted.flatMap((id) => [tx.query(openStatement, [id]), tx.query(lockStatement, [id])]));
}

const headStatement = statement("select t.seq, t.at from ledger_transfers t where t.partner_id = $1 order by t.seq desc limit 1");

const balancesStatement = statement(`
  select a.account, c.currency, b.balance_cents
  from unnest($2::text[]) a (account) cross join unnest($3::text[]) c (currency)
    cross join lateral (
      select x.balance_cents from (
        (select t.seq, t.debit_after as balance_cents from ledger_transfers t
         where t.partner_id = $1 and t.debit = a.account and t.currency = c.currency order by t.seq desc limit 1)
        union all
        (select t.seq, t.credit_after from ledger_transfers t
         where t.partner_id = $1 and t.credit = a.account and t.currency = c.currency order by t.seq desc limit 1)
      ) x order by x.seq desc limit 1) b`);

export type Head = { seq: number; at: Date | null; balances: Map<string, number> };

export const balanceKey = (account: Account, currency: string): string => `${account} ${currency}`;

/** Where a locked book stands: its last transfer, and its balances in some currencies. */
export async function headOf(tx: Queryable, partner_id: string, currencies: readonly string[]): Promise<Head> {
  const [[last], balances] = await Promise.all([
    tx.query<{ seq: number; at: Date }>(headStatement, [partner_id]),
    tx.query<{ account: Account; currency: string; balance_cents: number }>(balancesStatement, [
      partner_id,
      ACCOUNTS,
      currencies,
    ]),
  ]);
  return {
    seq: last?.seq ?? 0,
    at: last?.at ?? null,
    balances: new Map(balances.map(({ account, currency, balance_cents }) => [balanceKey(account, currency), balance_cents])),
  };
}

const placeStatement = statement(`
  select t.credit from ledger_transfers t where t.partner_id = $1 and t.commission_id = $2 order by t.seq desc limit 1`);

/** The account that the amount of a commission went to last, before any payout. The amount is positive. */
export async function accountOfCommission(tx: Queryable, partner_id: string, commission_id: string) {
  type Place = { credit: "pending" | "held" | "approved" };
  const [place] = await tx.query<Place>(placeStatement, [partner_id, commission_id]);
  if (place === undefined) throw new Error(`the ledger has no transfer of ${commission_id}`);
  return place.credit;
}

const COLUMNS = [
  ["seq", "bigint"],
  ["transaction_id", "text"],
  ["at", "timestamptz"],
  ["debit", "text"],
  ["credit", "text"],
  ["currency", "text"],
  ["amount_cents", "bigint"],
  ["debit_after", "bigint"],
  ["credit_after", "bigint"],
  ["fact", "text"],
  ["commission_id", "text"],
  ["payout_id", "text"],
  ["actor_id", "text"],
] as const;

const insertTransfers = insertRows("ledger_transfers", COLUMNS);

export type Transfer = Record<(typeof COLUMNS)[number][0], unknown>;

export function transfersQuery(partner_id: string, transfers: readonly Transfer[]): Query {
  return insertTransfers(
    partner_id,
    transfers.map((transfer) => COLUMNS.map(([column]) => transfer[column])),
  );
}

const statementsStatement = statement("update books set statement_seq = statement_seq + $2 where partner_id = $1");

/** Takes the next numbers of statements of a locked book. */
export async function takeStatements(tx: Queryable, partner_id: string, count: number): Promise<undefined> {
  await tx.query(statementsStatement, [partner_id, count]);
}
