import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Earning } from "../../commissions/index.ts";
import type { AppliedRefund, PaidCharge, Rates, Row, Transfer } from "./model.ts";

const PAGE = 10_000;

export const snapshot = statement("set transaction isolation level repeatable read read only");

const booksStatement = statement(`
  -- all partners: verification goes from book to book
  select b.partner_id from books b where b.partner_id > $1 order by b.partner_id limit $2`);

export async function booksAfter(db: Queryable, partner_id: string, limit: number): Promise<string[]> {
  return (await db.query<{ partner_id: string }>(booksStatement, [partner_id, limit])).map((row) => row.partner_id);
}

/** Reads a table in pages, each after the last key of the one before. */
async function* pages<T>(
  read: (after: string | number) => Promise<T[]>,
  first: string | number,
  keyOf: (row: T) => string | number,
) {
  for (let after = first; ; ) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = keyOf(last);
  }
}

const transfersStatement = statement(`
  select t.seq, t.at, t.debit, t.credit, t.currency, t.amount_cents, t.debit_after, t.credit_after, t.commission_id
  from ledger_transfers t where t.partner_id = $1 and t.seq > $2 order by t.seq limit $3`);

export function transfersOf(tx: Queryable, partner_id: string): AsyncGenerator<Transfer[]> {
  return pages(
    (after) => tx.query<Transfer>(transfersStatement, [partner_id, after, PAGE]),
    0,
    ({ seq }) => seq,
  );
}

const ROW = `c.id, c.cause, c.level, c.root_id, c.origin_partner_id, c.base_cents, c.rate_bps, c.amount_cents, c.currency, c.rule,
    c.reason_code, c.status`;
const rowsStatement = statement(`select ${ROW} from commissions c where c.partner_id = $1 and c.id > $2 order by c.id limit $3`);

export function rowsOf(tx: Queryable, partner_id: string): AsyncGenerator<Row[]> {
  return pages(
    (after) => tx.query<Row>(rowsStatement, [partner_id, after, PAGE]),
    "",
    ({ id }) => id,
  );
}

const causesStatement = statement("select c.cause from commissions c where c.partner_id = $1 and c.cause = any ($2)");

/** Those of some causes that a book has. */
export async function causesIn(tx: Queryable, partner_id: string, causes: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.query<{ cause: string }>(causesStatement, [partner_id, causes])).map(({ cause }) => cause));
}

const EARNING = `e.partner_id, e.deal_id, e.round, e.client_id, e.currency, e.mrr_cents, e.grade, e.terms, e.opened_at, e.first_charge_id,
    e.window_until, e.ended_at, e.end_reason`;
const earningsStatement = statement(`
  select ${EARNING}, e.deal_id || ' ' || lpad(e.round::text, 10, '0') as place from earnings e
  where e.partner_id = $1 and (e.deal_id, e.round) > (split_part($2, ' ', 1), coalesce(nullif(split_part($2, ' ', 2), ''), '0')::int)
  order by e.deal_id, e.round limit $3`);

export function earningsOf(tx: Queryable, partner_id: string): AsyncGenerator<Earning[]> {
  type Placed = Earning & { place: string };
  return pages(
    (after) => tx.query<Placed>(earningsStatement, [partner_id, after, PAGE]),
    "",
    ({ place }) => place,
  );
}

const CHARGE = `c.id, c.amount_cents, c.currency, c.months, c.plan, c.charged_at, c.deal_id, c.round, c.levels, c.refunded_cents, c.outcome`;
const chargesStatement = statement(
  `select ${CHARGE} from charges c where c.partner_id = $1 and c.id > $2 order by c.id limit $3`,
);

export function chargesOf(tx: Queryable, partner_id: string): AsyncGenerator<PaidCharge[]> {
  return pages(
    (after) => tx.query<PaidCharge>(chargesStatement, [partner_id, after, PAGE]),
    "",
    ({ id }) => id,
  );
}

const refundsStatement = statement(`
  select r.id, r.charge_id, r.amount_cents, r.applied_cents, r.status from refunds r
  where r.partner_id = $1 and r.id > $2 order by r.id limit $3`);

export function refundsOf(tx: Queryable, partner_id: string): AsyncGenerator<AppliedRefund[]> {
  return pages(
    (after) => tx.query<AppliedRefund>(refundsStatement, [partner_id, after, PAGE]),
    "",
    ({ id }) => id,
  );
}

const rulesStatement = statement("select r.id, r.version, r.first, r.recurring from commission_rules r");

/** Every version of every rule. */
export function ruleVersions(tx: Queryable): Promise<(Rates & { id: string; version: number })[]> {
  return tx.query(rulesStatement);
}
