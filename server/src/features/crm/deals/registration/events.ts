import type { EventDraft } from "../../../../kernel/events.ts";
import { daysSince, type Registration } from "./model.ts";

/** A partner sale was registered. */
export function dealRegistered(registration: Registration): EventDraft {
  const { company, plan, mrr_cents, pipeline_id, stage, status, protected_until } = registration;
  return draft(registration, "deal.registered", {
    company: company ?? "",
    plan,
    mrr_cents: mrr_cents ?? 0,
    pipeline_id,
    stage,
    registration_status: status,
    protected_until: protected_until.toISOString(),
  });
}

/** A registration was decided, withdrawn or ended. Its deal stays in its stage. */
export function registrationChanged(registration: Registration, changed_by: string, now: Date): EventDraft {
  const { pipeline_id, stage, stage_id, stage_type, stage_entered_at } = registration;
  return draft(registration, "deal.stage_changed", {
    pipeline_id,
    from_stage: stage,
    from_stage_id: stage_id,
    to_stage: stage,
    to_stage_id: stage_id,
    stage_type,
    change: "registration",
    changed_by,
    days_in_stage: daysSince(stage_entered_at, now),
  });
}

/** A sale is the partner's business: a key that is bound to the client it is sold to hears nothing of it. */
function draft(registration: Registration, type: EventDraft["type"], facts: Record<string, unknown>): EventDraft {
  const { deal_id, partner_id, client_id, version } = registration;
  const data = { deal_id, partner_id, client_id, ...facts };
  return { type, subject: deal_id, subject_version: version, client_id: null, data };
}
