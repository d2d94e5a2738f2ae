import { columnsOf, insertValues, valuesOf } from "../../../platform/db/columns.ts";
import { pollStatement, type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { LOOK_AFTER_MS } from "./model.ts";

export type Refund = {
  partner_id: string;
  id: string;
  payment_id: string;
  amount_cents: number;
  reason: string;
  status: "pending" | "succeeded" | "failed";
};

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "payment_id",
  "amount_cents",
  "reason",
  "status",
  "created_by",
  "created_at",
  "status_at",
  "next_look_at",
] as const;
const insertStatement = statement(`insert into payment_refunds ${insertValues(INSERTED)}`);

export type NewRefund = Refund & { account_id: string; created_by: string };

export async function insertRefund(tx: Tx, refund: NewRefund): Promise<void> {
  const times = { created_at: tx.now, status_at: tx.now, next_look_at: new Date(tx.now.getTime() + LOOK_AFTER_MS) };
  await tx.query(insertStatement, valuesOf({ ...refund, ...times }, INSERTED));
}

const REFUND = columnsOf("c", ["partner_id", "id", "payment_id", "amount_cents", "reason", "status"]);
const refundById = statement(`select ${REFUND} from payment_refunds c where c.partner_id = $1 and c.id = $2`);

export async function refundOrNull(db: Queryable, partner_id: string, id: string): Promise<Refund | null> {
  return (await db.query<Refund>(refundById, [partner_id, id]))[0] ?? null;
}

const refundByRef = statement(`
  select ${REFUND} from payment_refunds c where c.partner_id = $1 and c.payment_id = $2 and c.provider_ref = $3`);

/** A refund by the provider's reference. Its payment is locked. */
export async function refundByRefOrNull(
  db: Queryable,
  partner_id: string,
  payment_id: string,
  provider_ref: string,
): Promise<Refund | null> {
  return (await db.query<Refund>(refundByRef, [partner_id, payment_id, provider_ref]))[0] ?? null;
}

const saveStatement = statement(`
  update payment_refunds set status = $3, failure = $4, provider_ref = coalesce($5, provider_ref), status_at = $6
  where partner_id = $1 and id = $2`);

/** Decides a refund. Its payment is locked. */
export async function decideRefund(
  tx: Tx,
  { partner_id, id }: Pick<Refund, "partner_id" | "id">,
  { status, failure, provider_ref }: { status: Refund["status"]; failure: string | null; provider_ref: string | null },
): Promise<void> {
  await tx.query(saveStatement, [partner_id, id, status, failure, provider_ref, tx.now]);
}

const dueStatement = pollStatement(`
  -- all partners: every minute, by an index of what is pending.
  select ${REFUND} from payment_refunds c where c.status = 'pending' and c.next_look_at <= $1 order by c.next_look_at limit $2`);

/** Refunds that the provider has not decided, and was not asked about for a while. */
export function refundsDue(db: Queryable, now: Date, limit: number): Promise<Refund[]> {
  return db.query(dueStatement, [now, limit]);
}

const laterStatement = statement("update payment_refunds set next_look_at = $3 where partner_id = $1 and id = $2");

export async function askLater(db: Queryable, { partner_id, id }: Pick<Refund, "partner_id" | "id">, at: Date): Promise<void> {
  await db.query(laterStatement, [partner_id, id, at]);
}
