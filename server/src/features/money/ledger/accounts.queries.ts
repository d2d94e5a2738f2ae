import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { ACCOUNTS, type Account } from "./model.ts";

/** Whatever a book has in a currency came from one of these accounts, or went back there. */
const SOURCES = ["expense", "written_off"];

const nextCurrency = statement(`
  select least(${SOURCES.flatMap((account) =>
    ["debit", "credit"].map(
      (side) =>
        `(select min(t.currency) from ledger_transfers t where t.partner_id = $1 and t.${side} = '${account}' and t.currency > $2)`,
    ),
  ).join(", ")}) as currency`);

/** The currencies of a book, by one index step each, however many transfers there are. */
export async function currenciesOf(db: Queryable, partner_id: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const [row] = await db.query<{ currency: string | null }>(nextCurrency, [partner_id, found.at(-1) ?? ""]);
    if (row?.currency == null) return found;
    found.push(row.currency);
  }
}

/** The last transfer of a book that was recorded by $3, or null for all. */
const LAST_SEQ = `(select case when $3::timestamptz is null then 9223372036854775807 else
    (select t.seq from ledger_transfers t where t.partner_id = $1 and t.at <= $3 order by t.at desc, t.seq desc limit 1) end)`;

/** The last transfer of an account in one direction, by one index step. */
const lastOf = (side: "debit" | "credit") => `(
    select t.seq, t.${side}_after as after from ledger_transfers t
    where t.partner_id = $1 and t.${side} = a.account and t.currency = q.currency and t.seq <= l.seq
    order by t.seq desc limit 1)`;

const balancesStatement = statement(`
  select a.account, q.currency, coalesce(b.after, 0) as balance_cents
  from (select ${LAST_SEQ} as seq) l
    cross join unnest($4::text[]) with ordinality as a (account, place)
    cross join unnest($2::text[]) as q (currency)
    left join lateral (
      select e.after from (${lastOf("debit")} union all ${lastOf("credit")}) e order by e.seq desc limit 1) b on true
  order by q.currency, a.place`);

export type Balance = { account: Account; currency: string; balance_cents: number };

/** The balance of every account of a book in each of its currencies, now or at an instant: two index steps for each. */
export async function balances(db: Queryable, partner_id: string, as_of: Date | null): Promise<Balance[]> {
  const currencies = await currenciesOf(db, partner_id);
  return db.query<Balance>(balancesStatement, [partner_id, currencies, as_of, ACCOUNTS]);
}
