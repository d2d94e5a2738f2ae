import { columnsOf, insertValues, valuesOf } from "../../../platform/db/columns.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Terms } from "./model.ts";

/** What a won sale earns, on the terms of its win. */
export type Earning = {
  partner_id: string;
  deal_id: string;
  round: number;
  client_id: string;
  currency: string;
  mrr_cents: number;
  grade: string;
  link_id: string | null;
  terms: Terms;
  /** When the sale was won, on these terms: a sale that keeps them when it is won again keeps its place among the client's sales. */
  opened_at: Date;
  first_charge_id: string | null;
  window_until: Date | null;
  ended_at: Date | null;
  end_reason: "superseded" | "reversed" | "voided" | "expired" | null;
};

const COLUMNS = [
  "partner_id",
  "deal_id",
  "round",
  "client_id",
  "currency",
  "mrr_cents",
  "grade",
  "link_id",
  "terms",
  "opened_at",
  "first_charge_id",
  "window_until",
  "ended_at",
  "end_reason",
] as const satisfies (keyof Earning)[];

const EARNING = columnsOf("e", COLUMNS);

const liveStatement = statement(
  `select ${EARNING} from earnings e where e.partner_id = $1 and e.client_id = any ($2) and e.ended_at is null`,
);

/** The live earnings of some clients, by client. */
export async function liveEarnings(
  tx: Queryable,
  partner_id: string,
  client_ids: readonly string[],
): Promise<Map<string, Earning>> {
  const rows = await tx.query<Earning>(liveStatement, [partner_id, client_ids]);
  return new Map(rows.map((row) => [row.client_id, row]));
}

const ofDealStatement = statement(`
  select ${EARNING} from earnings e where e.partner_id = $1 and e.deal_id = $2 order by e.round desc limit 1`);

/** The newest earning of a deal. */
export async function earningOfDeal(tx: Queryable, partner_id: string, deal_id: string): Promise<Earning | null> {
  return (await tx.query<Earning>(ofDealStatement, [partner_id, deal_id]))[0] ?? null;
}

const roundsStatement = statement(`
  select ${EARNING} from earnings e
  where e.partner_id = $1 and (e.deal_id, e.round) in (select * from unnest($2::text[], $3::int[]))`);

/** Earnings by deal and round. */
export function earningsOf(tx: Queryable, partner_id: string, rounds: readonly { deal_id: string; round: number }[]) {
  const values = [partner_id, rounds.map(({ deal_id }) => deal_id), rounds.map(({ round }) => round)];
  return tx.query<Earning>(roundsStatement, values);
}

const supersededStatement = statement(`
  select ${EARNING} from earnings e
  where e.partner_id = $1 and e.client_id = $2 and e.end_reason = 'superseded' order by e.opened_at desc, e.deal_id desc limit 1`);

/** The newest of a client's earnings that another one superseded. */
export async function supersededEarning(tx: Queryable, partner_id: string, client_id: string): Promise<Earning | null> {
  return (await tx.query<Earning>(supersededStatement, [partner_id, client_id]))[0] ?? null;
}

const closedStatement = statement(`
  select ${EARNING} from earnings e
  where e.partner_id = $1 and e.client_id = $2 and e.end_reason in ('reversed', 'voided') order by e.ended_at desc, e.round desc`);

/** The rounds of a client's sales that were taken back, the last one first. */
export function closedEarnings(tx: Queryable, partner_id: string, client_id: string): Promise<Earning[]> {
  return tx.query<Earning>(closedStatement, [partner_id, client_id]);
}

const insertStatement = statement(`insert into earnings ${insertValues(COLUMNS)}`);

export async function insertEarning(tx: Queryable, earning: Earning): Promise<void> {
  await tx.query(insertStatement, valuesOf({ ...earning, terms: JSON.stringify(earning.terms) }, COLUMNS));
}

const saveStatement = statement(`
  update earnings set first_charge_id = $4, window_until = $5, ended_at = $6, end_reason = $7
  where partner_id = $1 and deal_id = $2 and round = $3`);

/** Saves what can change of an earning in a locked book. */
export async function saveEarning(tx: Queryable, earning: Earning): Promise<void> {
  const columns = ["partner_id", "deal_id", "round", "first_charge_id", "window_until", "ended_at", "end_reason"] as const;
  await tx.query(saveStatement, valuesOf(earning, columns));
}

const awaitingStatement = pollStatement(`
  -- all partners: the job that ends sales without a charge
  select e.partner_id, e.deal_id from earnings e
  where e.ended_at is null and e.first_charge_id is null and e.opened_at <= $1 order by e.opened_at limit $2`);

/** Sales that were won so long ago and never charged. */
export function awaitingSince(db: Queryable, opened_before: Date, limit: number) {
  return db.query<{ partner_id: string; deal_id: string }>(awaitingStatement, [opened_before, limit]);
}
