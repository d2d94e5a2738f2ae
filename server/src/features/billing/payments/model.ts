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

export const REFUND_STATUSES = ["pending", "succeeded", "failed"] as const;
export const FLAGS = ["late", "overpaid"] as const;
export const MANUAL_METHODS = ["cash", "card", "cheque", "bank_transfer", "other"] as const;

type Refunded = { amount_cents: number; tip_cents: number; refunded_cents: number; refunding_cents: number };

/** What can still be refunded. */
export function refundableCents({ amount_cents, tip_cents, refunded_cents, refunding_cents }: Refunded): number {
  return amount_cents + tip_cents - refunded_cents - refunding_cents;
}

/** The status of a payment by what was refunded of it; a dispute stays one. */
export function statusOfPayment(status: PaymentStatus, payment: Refunded): PaymentStatus {
  if (status === "disputed" || status === "lost" || payment.refunded_cents === 0) return status;
  return payment.refunded_cents === payment.amount_cents + payment.tip_cents ? "refunded" : "partially_refunded";
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
