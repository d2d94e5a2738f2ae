import type { EventDraft } from "../../../kernel/events.ts";
import type { Attempt, Payout } from "./queries.ts";

/** The days that a payout is about, as an ISO 8601 interval. */
export function periodOf({ period_from, period_to }: Pick<Payout, "period_from" | "period_to">): string {
  return [period_from, period_to].map((time) => time.toISOString().slice(0, 10)).join("/");
}

/** A payout was scheduled, for the first time or again after a failure. */
export function payoutScheduled(payout: Payout): EventDraft {
  const { id, partner_id, net_cents, gross_cents, adjustments_cents, carry_in_cents, currency, commission_count, attempt } =
    payout;
  return {
    type: "payout.scheduled",
    subject: id,
    subject_version: payout.version,
    client_id: null,
    data: {
      payout_id: id,
      partner_id,
      net_cents,
      gross_cents,
      adjustments_cents,
      carry_in_cents,
      currency,
      commission_count,
      period: periodOf(payout),
      scheduled_for: payout.scheduled_for.toISOString(),
      attempt,
    },
  };
}

/** A payout was paid. */
export function payoutPaid(payout: Payout & { paid_at: Date }, { kind }: Pick<Attempt, "kind">): EventDraft {
  const { id, partner_id, net_cents, currency, paid_at, reference } = payout;
  return {
    type: "payout.paid",
    subject: id,
    subject_version: payout.version,
    client_id: null,
    data: {
      payout_id: id,
      partner_id,
      net_cents,
      currency,
      paid_at: paid_at.toISOString(),
      method: kind,
      reference,
    },
  };
}
