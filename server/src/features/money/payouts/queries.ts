import { notFound } from "../../../kernel/errors.ts";
import { columnsOf, insertValues, valuesOf } from "../../../platform/db/columns.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { PartnerState, Status } from "./model.ts";

/** What a run pays a partner in one currency. */
export type Payout = {
  partner_id: string;
  id: string;
  run_id: string;
  currency: string;
  statement_seq: number;
  gross_cents: number;
  adjustments_cents: number;
  carry_in_cents: number;
  net_cents: number;
  commission_count: number;
  period_from: Date;
  period_to: Date;
  scheduled_for: Date;
  created_at: Date;
  status: Status;
  attempt: number;
  paid_at: Date | null;
  reference: string | null;
  updated_at: Date;
  version: number;
};

const COLUMNS = [
  "partner_id",
  "id",
  "run_id",
  "currency",
  "statement_seq",
  "gross_cents",
  "adjustments_cents",
  "carry_in_cents",
  "net_cents",
  "commission_count",
  "period_from",
  "period_to",
  "scheduled_for",
  "created_at",
  "status",
  "attempt",
  "paid_at",
  "reference",
  "updated_at",
  "version",
] as const satisfies (keyof Payout)[];

const PAYOUT = columnsOf("p", COLUMNS);

const insertStatement = statement(`insert into payouts ${insertValues(COLUMNS)}`);

export async function insertPayout(tx: Queryable, payout: Payout): Promise<void> {
  await tx.query(insertStatement, valuesOf(payout, COLUMNS));
}

const CHANGING = ["status", "attempt", "paid_at", "reference", "updated_at", "version"] as const;

const saveStatement = statement(`
  update payouts set status = $3, attempt = $4, paid_at = $5, reference = $6, updated_at = $7, version = $8
  where partner_id = $1 and id = $2`);

/** Saves what can change of a payout in a locked book. */
export async function savePayout(tx: Queryable, payout: Payout): Promise<void> {
  await tx.query(saveStatement, valuesOf(payout, ["partner_id", "id", ...CHANGING]));
}

const oneStatement = statement(`select ${PAYOUT} from payouts p where p.partner_id = $1 and p.id = any ($2)`);

export function payoutRows(tx: Queryable, partner_id: string, ids: readonly string[]): Promise<Payout[]> {
  return tx.query<Payout>(oneStatement, [partner_id, ids]);
}

const ofRunStatement = statement(`
  select ${PAYOUT} from payouts p where p.partner_id = $1 and p.run_id = $2 order by p.currency`);

export function payoutsOfRun(tx: Queryable, partner_id: string, run_id: string): Promise<Payout[]> {
  return tx.query<Payout>(ofRunStatement, [partner_id, run_id]);
}

const ofStatementStatement = statement("select p.id from payouts p where p.partner_id = $1 and p.statement_seq = $2");

/** The payout of a partner with a statement number. */
export async function payoutOfStatement(db: Queryable, partner_id: string, statement_seq: number): Promise<string> {
  const [row] = await db.query<{ id: string }>(ofStatementStatement, [partner_id, statement_seq]);
  return row?.id ?? notFound(`S-${statement_seq}`);
}

/** All partners: the operator names a payout without its partner. */
const partnersStatement = statement("select p.id, p.partner_id from payouts p where p.id = any ($1)");

/** The partners that some payouts belong to, by payout. */
export async function partnersOfPayouts(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; partner_id: string }>(partnersStatement, [ids]);
  return new Map(rows.map(({ id, partner_id }) => [id, partner_id]));
}

/** A try to pay a payout. */
export type Attempt = {
  partner_id: string;
  payout_id: string;
  attempt: number;
  method_id: string;
  kind: "sepa" | "manual";
  holder: string;
  details: Buffer;
  hint: string;
  started_at: Date;
};

const ATTEMPT = ["partner_id", "payout_id", "attempt", "method_id", "kind", "holder", "details", "hint", "started_at"] as const;

const insertAttemptStatement = statement(`insert into payout_attempts ${insertValues(ATTEMPT)}`);

export async function insertAttempt(tx: Queryable, attempt: Attempt): Promise<void> {
  await tx.query(insertAttemptStatement, valuesOf(attempt, ATTEMPT));
}

const attemptStatement = statement(`
  select ${columnsOf("a", ATTEMPT)} from payout_attempts a
  where a.partner_id = $1 and a.payout_id = $2 and a.attempt = $3`);

export async function attemptOf(tx: Queryable, { partner_id, id, attempt }: Payout): Promise<Attempt> {
  const [row] = await tx.query<Attempt>(attemptStatement, [partner_id, id, attempt]);
  if (row === undefined) throw new Error(`the payout ${id} has no attempt ${attempt}`);
  return row;
}

const endAttemptStatement = statement(`
  update payout_attempts set failure = $4, ended_at = $5 where partner_id = $1 and payout_id = $2 and attempt = $3`);

/** Ends the current attempt of a payout, with the reason if it failed. */
export async function endAttempt(tx: Queryable, { partner_id, id, attempt }: Payout, failure: string | null, now: Date) {
  await tx.query(endAttemptStatement, [partner_id, id, attempt, failure, now]);
}

const stateOf = (partner_id: string) => `
  select b.partner_id, p.company, p.status, p.grade, b.payouts_held, b.hold_reason, b.statement_seq, m.currencies, m.kind as method_kind,
    g.payout_minimums || coalesce(t.payout_minimums, '{}') as minimums
  from books b
    join partners p on p.id = b.partner_id
    left join payout_methods m on m.partner_id = ${partner_id} and m.ended_at is null
    left join tiers t on t.grade = p.grade
    cross join programme g`;

const stateStatement = statement(`${stateOf("$1")} where b.partner_id = $1`);
const allStatesStatement = statement(`
  -- all partners: the preview of a payout run
  ${stateOf("b.partner_id")} where b.partner_id = any ($1)`);

/** What of a partner decides whether it is paid. Null where it has no book yet. */
export async function partnerState(db: Queryable, partner_id: string): Promise<PartnerState | null> {
  return (await db.query<PartnerState>(stateStatement, [partner_id]))[0] ?? null;
}

export async function partnerStates(db: Queryable, partner_ids: readonly string[]): Promise<Map<string, PartnerState>> {
  const rows = await db.query<PartnerState>(allStatesStatement, [partner_ids]);
  return new Map(rows.map((row) => [row.partner_id, row]));
}
