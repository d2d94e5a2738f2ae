import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, requestedAccounts, type TenantScope } from "../../../kernel/principal.ts";
import { insertValues, objectJson, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { anyOf, byCreation, createdWithin, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { erasePayersOfAttempts } from "./attempts.queries.ts";
import { DisputeOfPayment } from "./disputes.schema.ts";
import { type PaymentListQuery, Payment as PaymentSchema, type PaymentShown, Refund } from "./schema.ts";

const PAYMENT_JSON = rowJson(PaymentSchema, {
  payment_link_id: "c.link_id",
  provider: "c.provider_kind",
  refunds: `coalesce((select json_agg(${objectJson(Refund, "r")} order by r.id) from payment_refunds r
    where r.partner_id = $1 and r.payment_id = c.id), '[]')`,
  disputes: `coalesce((select json_agg(${objectJson(DisputeOfPayment, "d")} order by d.id) from payment_disputes d
    where d.partner_id = $1 and d.payment_id = c.id), '[]')`,
});

/** A payment as the API shows it, with its JSON and the provider's reference. */
export type Payment = PaymentShown & { json: string; provider_ref: string };

const SHOWN = `${PAYMENT_JSON} as json, c.provider_ref`;

function paymentOf(rows: { json: string; provider_ref: string }[]): Payment | null {
  const shown = parsedRow<PaymentShown>(rows);
  return shown === null ? null : { ...shown, provider_ref: rows[0]?.provider_ref ?? "" };
}

function saved(payment: Payment | null): Payment {
  if (payment === null) throw new Error("the payment was not saved");
  return payment;
}

const INSERTED = [
  "partner_id",
  "id",
  "account_id",
  "link_id",
  "attempt_id",
  "contact_id",
  "provider_id",
  "provider_kind",
  "provider_ref",
  "amount_cents",
  "tip_cents",
  "currency",
  "method",
  "method_hint",
  "payer",
  "receipt_number",
  "live",
  "flag",
  "note",
  "paid_at",
  "created_at",
  "updated_at",
] as const;
const insertStatement = statement(`
  with c as (insert into payments ${insertValues(INSERTED)} returning *)
  select ${SHOWN} from c`);

export type NewPayment = Record<Exclude<(typeof INSERTED)[number], "created_at" | "updated_at">, unknown>;

export async function insertPayment(tx: Tx, payment: NewPayment): Promise<Payment> {
  const row = { ...payment, payer: JSON.stringify(payment.payer), created_at: tx.now, updated_at: tx.now };
  return saved(paymentOf(await tx.query(insertStatement, valuesOf(row, INSERTED))));
}

const numberStatement = statement(`
  insert into receipt_counters as c (partner_id, account_id, live, last) values ($1, $2, $3, 1)
  on conflict (partner_id, account_id, live) do update set last = c.last + 1
  returning c.last`);

/** The next number of an account's receipts. Others wait until this transaction ends, so none is left out. */
export async function nextReceiptNumber(tx: Tx, partner_id: string, account_id: string, live: boolean): Promise<number> {
  const [row] = await tx.query<{ last: number }>(numberStatement, [partner_id, account_id, live]);
  if (row === undefined) throw new Error("no number for a receipt");
  return row.last;
}

const VISIBLE = "c.partner_id = $1 and c.id = $2 and ($3::text[] is null or c.account_id = any ($3))";
const paymentById = statement(`select ${SHOWN} from payments c where ${VISIBLE}`);
const lockPayment = statement(`select ${SHOWN} from payments c where ${VISIBLE} for update`);

export async function paymentOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Payment | null> {
  return paymentOf(await db.query(paymentById, [scope.partner_id, id, boundClients(scope)]));
}

/** A payment, locked; its link is locked before. */
export async function paymentForUpdate(tx: Queryable, scope: TenantScope, id: string): Promise<Payment> {
  return saved(paymentOf(await tx.query(lockPayment, [scope.partner_id, id, boundClients(scope)])));
}

const byAttempt = statement(`select ${SHOWN} from payments c where c.partner_id = $1 and c.attempt_id = $2`);

/** The payment that an attempt became. */
export async function paymentOfAttemptOrNull(db: Queryable, partner_id: string, attempt_id: string): Promise<Payment | null> {
  return paymentOf(await db.query(byAttempt, [partner_id, attempt_id]));
}

const saveStatement = statement(`
  with c as (
    update payments set status = $3, refunded_cents = $4, refunding_cents = $5, updated_at = $6, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${SHOWN} from c`);

/** Saves the status and what is refunded of a locked payment. */
export async function savePayment(tx: Tx, { partner_id }: TenantScope, payment: Payment): Promise<Payment> {
  const { id, status, refunded_cents, refunding_cents } = payment;
  return saved(paymentOf(await tx.query(saveStatement, [partner_id, id, status, refunded_cents, refunding_cents, tx.now])));
}

const paidStatement = statement(`
  with c as (
    update payments set on_paid_results = $3, charge = $4 where partner_id = $1 and id = $2
    returning *
  )
  select ${SHOWN} from c`);

/** Saves what a payment has set off, in the transaction that tells of the payment. */
export async function savePaid(tx: Tx, { partner_id }: TenantScope, payment: Payment): Promise<Payment> {
  const { id, on_paid_results, charge } = payment;
  const values = [partner_id, id, JSON.stringify(on_paid_results), charge === null ? null : JSON.stringify(charge)];
  return saved(paymentOf(await tx.query(paidStatement, values)));
}

export function paymentsPage(db: Queryable, scope: TenantScope, query: PaymentListQuery, contact_ids: readonly string[] | null) {
  const { limit: _, cursor: __, ...filter } = query;
  const { account_id, status, payment_link_id, live } = filter;
  const accounts = requestedAccounts(scope, account_id);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("payments", filter),
      table: "payments",
      json: PAYMENT_JSON,
      sort: byCreation(true),
      conditions: (place) => [
        ...createdWithin("payment", filter, place),
        ...(accounts === null ? [] : [anyOf("c.account_id", accounts, place)]),
        ...(status === undefined ? [] : [anyOf("c.status", [status], place)]),
        ...(payment_link_id === undefined ? [] : [anyOf("c.link_id", [payment_link_id], place)]),
        ...(contact_ids === null ? [] : [anyOf("c.contact_id", contact_ids, place)]),
        ...(live === undefined ? [] : [`c.live = ${place(live)}`]),
      ],
    },
    query,
  );
}

const eraseStatement = statement(`
  update payments set payer = '{"name": null, "email": null, "answers": {}}', note = null, updated_at = $3, version = version + 1
  where partner_id = $1 and contact_id = any ($2)`);

/** Erases who some people were as payers; amounts and receipt numbers stay. */
export async function erasePayers(db: Queryable, partner_id: string, contact_ids: readonly string[], now: Date): Promise<void> {
  await erasePayersOfAttempts(db, partner_id, contact_ids);
  await db.query(eraseStatement, [partner_id, contact_ids, now]);
}
