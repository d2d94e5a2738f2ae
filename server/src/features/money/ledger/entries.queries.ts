import { LIMIT_MAX, listIdentity, pageOf } from "../../../kernel/page.ts";
import { rowJson } from "../../../platform/db/columns.ts";
import type { Place } from "../../../platform/db/keyset.ts";
import { composedStatement, type Queryable } from "../../../platform/db/statement.ts";
import { currenciesOf } from "./accounts.queries.ts";
import { ACCOUNTS } from "./model.ts";
import { LedgerEntry, type LedgerEntryQuery } from "./schema.ts";

type Row = { seq: number; side: number; json: string };

/** The entries of a book, newest first: two for each transfer, first the debit, then the credit. */
export function entriesPage(db: Queryable, partner_id: string, query: LedgerEntryQuery): Promise<{ json: string }> {
  const { limit: _, cursor: __, ...filter } = query;
  return pageOf(
    listIdentity("ledger-entries", { partner_id, ...filter }),
    query,
    ["number", "number"],
    async (position, limit) => {
      const values: unknown[] = [partner_id, limit + 1];
      const place: Place = (value) => `$${values.push(value)}`;
      const conditions = conditionsOf(filter, position?.[0], place);
      const currencies = filter.account !== undefined && filter.currency === undefined ? await currenciesOf(db, partner_id) : [];
      const entries = entriesOf(filter, currencies, conditions, place);
      const after =
        position === null ? "" : `where (c.seq, c.side) < (${place(position[0])}::bigint, ${place(position[1])}::bigint)`;
      return db.query<Row>(
        composedStatement(`
  select c.seq, c.side, ${rowJson(LedgerEntry)} as json
  from (${entries}) c ${after}
  order by c.seq desc, c.side desc limit $2`),
        values,
      );
    },
    ({ seq, side }) => [seq, side],
  );
}

/** A transfer as the entry of one of its accounts. The debit is shown first, so it counts as the newer one. */
const ENTRY = {
  debit: "t.*, 2 as side, t.debit as account, t.amount_cents as debit_cents, 0 as credit_cents, t.debit_after as balance_cents",
  credit:
    "t.*, 1 as side, t.credit as account, 0 as debit_cents, t.amount_cents as credit_cents, t.credit_after as balance_cents",
};
type Side = keyof typeof ENTRY;

/**
 * As many entries as the longest page has. Those of an account or a currency come from the indexes by account and currency, each
 * read in order from its end; all others from an index by transfer.
 */
function entriesOf({ account, currency }: LedgerEntryQuery, currencies: string[], conditions: string[], place: Place): string {
  const transfers = (more: string[]) =>
    `select t.* from ledger_transfers t where ${["t.partner_id = $1", ...conditions, ...more].join(" and ")} order by t.seq desc limit ${LIMIT_MAX + 1}`;
  const both = (source: (side: Side) => string) =>
    (["debit", "credit"] as const).map((side) => `(select ${ENTRY[side]} from ${source(side)})`).join(" union all ");
  if (account === undefined && currency === undefined) return both(() => `(${transfers([])}) t`);
  const accounts = place(account === undefined ? ACCOUNTS : [account]);
  const wanted = place(currency === undefined ? currencies : [currency]);
  return both(
    (side) => `unnest(${accounts}::text[]) as a (account) cross join unnest(${wanted}::text[]) as q (currency)
      cross join lateral (${transfers([`t.${side} = a.account`, "t.currency = q.currency"])}) t`,
  );
}

/** Times never go back in a book, so a range of time is a range of transfers. */
function conditionsOf({ commission_id, at_after, at_before }: LedgerEntryQuery, from: unknown, place: Place): string[] {
  const first = (condition: string, order: string) =>
    `(select f.seq from ledger_transfers f where f.partner_id = $1 and ${condition} order by f.at ${order}, f.seq ${order} limit 1)`;
  return [
    ...(from === undefined ? [] : [`t.seq <= ${place(from)}::bigint`]),
    ...(commission_id === undefined ? [] : [`t.commission_id = ${place(commission_id)}`]),
    ...(at_after === undefined ? [] : [`t.seq >= ${first(`f.at >= ${place(at_after)}`, "asc")}`]),
    ...(at_before === undefined ? [] : [`t.seq <= ${first(`f.at < ${place(at_before)}`, "desc")}`]),
  ];
}
