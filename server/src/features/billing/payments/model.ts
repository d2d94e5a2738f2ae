import { fractionOf } from "../../../kernel/money.ts";

export const ATTEMPT_STATES = [
  "created",
  "pending",
  "processing",
  "expiring",
  "succeeded",
  "failed",
  "cancelled",
  "expired",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** Whether an attempt may still succeed, so that its amount stays reserved. */
export function mayStillSucceed(state: AttemptState): boolean {
  return state === "created" || state === "pending" || state === "processing" || state === "expiring";
}

export const PAYMENT_STATUSES = ["succeeded", "partially_refunded", "refunded", "disputed", "lost"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const DISPUTE_STATUSES = ["open", "won", "lost"] as const;

/** What a payment can set off. */
export const PAID_ACTIONS = ["move_deal", "add_tags", "send_message", "charge", "charge_refund"] as const;
export type PaidAction = (typeof PAID_ACTIONS)[number];

export const REFUND_STATUSES = ["pending", "succeeded", "failed"] as const;
export const FLAGS = ["late", "overpaid"] as const;
export const MANUAL_METHODS = ["cash", "card", "cheque", "bank_transfer", "other"] as const;

type Refunded = { amount_cents: number; tip_cents: number; refunded_cents: number; refunding_cents: number };

/** What can still be refunded. */
export function refundableCents({ amount_cents, tip_cents, refunded_cents, refunding_cents }: Refunded): number {
  return amount_cents + tip_cents - refunded_cents - refunding_cents;
}

type Dispute = { status: (typeof DISPUTE_STATUSES)[number]; amount_cents: number };

/** The status of a payment: by its disputes, then by what was refunded of it. */
export function statusOfPayment(payment: Refunded & { disputes: readonly Dispute[] }): PaymentStatus {
  if (payment.disputes.some(({ status }) => status === "open")) return "disputed";
  if (payment.disputes.some(({ status }) => status === "lost")) return "lost";
  if (payment.refunded_cents === 0) return "succeeded";
  return payment.refunded_cents === payment.amount_cents + payment.tip_cents ? "refunded" : "partially_refunded";
}

type Charging = { total_cents: number; paid_cents: number; line_items: readonly { tax_cents?: number }[] | null };

/** What a payment of a link charges: its share of the amount without tax. The shares of all payments are exact together. */
export function chargedCents({ total_cents, paid_cents, line_items }: Charging, amount_cents: number): number {
  const tax_cents = (line_items ?? []).reduce((sum, { tax_cents: tax = 0 }) => sum + tax, 0);
  const net = (cents: number) => fractionOf(cents, total_cents - tax_cents, total_cents);
  return net(paid_cents) - net(paid_cents - amount_cents);
}

type Taken = {
  amount_cents: number;
  refunded_cents: number;
  disputes: readonly Dispute[];
  charge: { amount_cents: number } | null;
};

/** The part of the charge of a payment that was returned or lost with the payment. */
export function lostCents({ charge, amount_cents, refunded_cents, disputes }: Taken): number {
  if (charge === null) return 0;
  const lost = disputes.filter(({ status }) => status === "lost").reduce((sum, dispute) => sum + dispute.amount_cents, 0);
  return fractionOf(Math.min(refunded_cents + lost, amount_cents), charge.amount_cents, amount_cents);
}

/** The number of a receipt as people see it. */
export function receiptNumber(live: boolean, number: number): string {
  return `${live ? "R" : "TEST"}-${String(number).padStart(6, "0")}`;
}

/** The provider is asked again after this long, as long as an attempt or a refund is not decided. */
export const LOOK_AFTER_MS = 120_000;
export const LOOK_AGAIN_MS = 60_000;
/** An attempt that nobody completes is ended after this long, so that others can pay. */
export const ABANDONED_AFTER_MS = 30 * 60_000;
