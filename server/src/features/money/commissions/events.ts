import type { EventDraft } from "../../../kernel/events.ts";
import { type Commission, ruleLabel } from "./model.ts";

/** A commission was inserted. An override names no deal, client or row of another partner. */
export function commissionAccrued(commission: Commission): EventDraft {
  const { id, partner_id, deal_id, client_id, kind, level, rule, source_commission_id, hold_until } = commission;
  const { base_cents, rate_bps, amount_cents, currency, status, grade } = commission;
  return {
    type: "commission.accrued",
    subject: id,
    subject_version: 1,
    client_id: null,
    data: {
      commission_id: id,
      partner_id,
      deal_id,
      client_id,
      kind,
      level,
      base_cents,
      rate_bps,
      amount_cents,
      currency,
      status,
      hold_until: hold_until?.toISOString() ?? null,
      grade,
      rule: rule === null ? undecided(commission) : ruleLabel(rule),
      source_commission_id,
    },
  };
}

/** What the event says where no rule decided. */
function undecided({ kind, level }: Commission): string {
  if (kind === "marketplace" || kind === "adjustment") return kind;
  return level === 0 ? "adjustment" : `override of level ${level}`;
}
