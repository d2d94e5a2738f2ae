import type { Database } from "../../../../platform/db/database.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import {
  type AppliedRefund,
  checkGroup,
  checkPlaces,
  checkRefunds,
  type Difference,
  expectedRoots,
  type Facts,
  type Found,
  LedgerCheck,
  type Row,
  roundKey,
  ruleKey,
} from "./model.ts";
import {
  booksAfter,
  causesIn,
  chargesOf,
  earningsOf,
  refundsOf,
  rowsOf,
  ruleVersions,
  snapshot,
  transfersOf,
} from "./queries.ts";

const BOOKS = 100;

/** What was verified of a book. */
export type Verified = { partner_id: string; commissions: number; differences: Difference[] };

/** What else is compared of a book, by a feature that keeps more in it. */
export type BookCheck = (tx: Queryable, partner_id: string) => Promise<Found[]>;

/** Calculates the books of all partners again from what was sold, charged and refunded, one after another. */
export async function* verifyBooks(db: Database, checks: readonly BookCheck[]): AsyncGenerator<Verified> {
  for (let after = ""; ; ) {
    const books = await booksAfter(db, after, BOOKS);
    for (const partner_id of books) yield await verifyBook(db, partner_id, checks);
    const last = books.at(-1);
    if (last === undefined || books.length < BOOKS) return;
    after = last;
  }
}

/** Calculates the book of a partner again, in one snapshot of the database. */
export function verifyBook(db: Database, partner_id: string, checks: readonly BookCheck[]): Promise<Verified> {
  return db.transaction(() => ({
    open: (tx) => tx.query(snapshot),
    run: (tx) => verify(tx, partner_id, checks),
    close: () => [],
  }));
}

async function verify(tx: Queryable, partner_id: string, checks: readonly BookCheck[]): Promise<Verified> {
  const ledger = new LedgerCheck();
  for await (const transfers of transfersOf(tx, partner_id)) ledger.read(transfers);
  const rows = await all(rowsOf(tx, partner_id));
  const facts = await factsOf(tx, partner_id);
  const found = [
    ...ledger.found,
    ...checkPlaces(rows, ledger),
    ...checkRefunds(facts),
    ...(await checkRows(tx, partner_id, rows, facts)),
    ...(await missing(tx, partner_id, facts)),
    ...(await Promise.all(checks.map((check) => check(tx, partner_id)))).flat(),
  ];
  return { partner_id, commissions: rows.length, differences: found.map((difference) => ({ partner_id, ...difference })) };
}

async function all<T>(pages: AsyncGenerator<T[]>): Promise<T[]> {
  const rows: T[] = [];
  for await (const page of pages) for (const row of page) rows.push(row);
  return rows;
}

async function factsOf(tx: Queryable, partner_id: string): Promise<Facts> {
  const [earnings, charges, refunds, rules] = await Promise.all([
    all(earningsOf(tx, partner_id)),
    all(chargesOf(tx, partner_id)),
    all(refundsOf(tx, partner_id)),
    ruleVersions(tx),
  ]);
  const applied = refunds.filter((refund): refund is AppliedRefund & { charge_id: string } => refund.charge_id !== null);
  return {
    earnings: new Map(earnings.map((earning) => [roundKey(earning.deal_id, earning.round), earning])),
    charges: new Map(charges.map((charge) => [charge.id, charge])),
    refunds: Map.groupBy(applied, ({ charge_id }) => charge_id),
    rules: new Map(rules.map((rule) => [ruleKey(rule), rule])),
  };
}

/** Calculates every row again. Overrides follow from the facts of the partners that sold. */
async function checkRows(tx: Queryable, partner_id: string, rows: readonly Row[], own: Facts) {
  const byRoot = Map.groupBy(rows, ({ id, root_id }) => root_id ?? id);
  const groups = [...byRoot.values()].map((group) => ({
    root: group.find(({ root_id }) => root_id === null),
    rest: group.filter(({ root_id }) => root_id !== null),
  }));
  const sellers = Map.groupBy(groups, ({ root }) => root?.origin_partner_id ?? partner_id);
  const found = [];
  for (const [seller, of] of sellers) {
    const facts = seller === partner_id ? own : await factsOf(tx, seller);
    for (const { root, rest } of of) if (root !== undefined) found.push(...checkGroup(root, rest, facts));
  }
  return found;
}

/** What the facts of a seller make and no book has. */
async function missing(tx: Queryable, partner_id: string, facts: Facts) {
  const found = [];
  for (const [book, expected] of Map.groupBy(expectedRoots(partner_id, facts), (one) => one.partner_id)) {
    const known = await causesIn(
      tx,
      book,
      expected.flatMap(({ causes }) => causes),
    );
    for (const { causes, amount_cents } of expected) {
      if (causes.some((cause) => known.has(cause))) continue;
      found.push({
        table: "commissions",
        id: causes.join(" or "),
        problem: `it is missing in the book of ${book}`,
        expected: amount_cents,
        found: null,
      });
    }
  }
  return found;
}
