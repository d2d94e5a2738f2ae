import type { EarningCharge } from "../commissions/index.ts";

/** What a client paid. */
export type Charge = EarningCharge & {
  partner_id: string;
  external_id: string;
  client_id: string;
  source: "operator" | "billing";
  created_at: Date;
  refunded_cents: number;
  /** The sale that it earned for. */
  deal_id: string | null;
  round: number | null;
  /** The levels above the seller that earned of it, as bits. */
  levels: number;
  outcome: "earned" | "no_sale" | "outside_window" | "zero";
};

/** What a client got back. */
export type Refund = {
  partner_id: string;
  id: string;
  external_id: string;
  client_id: string;
  charge_external_id: string;
  amount_cents: number;
  reason: string | null;
  refunded_at: Date;
  created_at: Date;
  charge_id: string | null;
  applied_cents: number;
  status: "waiting" | "applied" | "excess";
};

/** A charge as it is reported. */
export type NewCharge = Pick<Charge, "external_id" | "amount_cents" | "currency" | "charged_at" | "months" | "plan">;

/** Whether a report is of the same charge: a report may be repeated, by any source. */
export function sameCharge(charge: Charge, client_id: string, reported: NewCharge): boolean {
  return (
    charge.client_id === client_id &&
    charge.amount_cents === reported.amount_cents &&
    charge.currency === reported.currency &&
    charge.months === reported.months &&
    charge.plan === reported.plan &&
    charge.charged_at.getTime() === reported.charged_at.getTime()
  );
}

export type NewRefund = Pick<Refund, "external_id" | "amount_cents" | "reason"> & { refunded_at: Date | null };

export function sameRefund(refund: Refund, client_id: string, charge_external_id: string, reported: NewRefund): boolean {
  return (
    refund.client_id === client_id &&
    refund.charge_external_id === charge_external_id &&
    refund.amount_cents === reported.amount_cents &&
    (reported.refunded_at === null || refund.refunded_at.getTime() === reported.refunded_at.getTime())
  );
}

/** Applies a refund to what is left of its charge. More than that is flagged. */
export function applyRefund(charge: Charge, refund: Refund): Refund {
  const applied_cents = Math.min(refund.amount_cents, charge.amount_cents - charge.refunded_cents);
  const status = applied_cents < refund.amount_cents ? "excess" : "applied";
  return { ...refund, charge_id: charge.id, applied_cents, status };
}
