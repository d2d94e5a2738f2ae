import type { EventDraft } from "../../../../kernel/events.ts";
import type { Deal } from "../model.ts";
import type { Registration } from "./model.ts";

/** A deal was registered. */
export function dealRegistered(partner_id: string, deal: Deal, registration: Registration): EventDraft {
  const { company, plan, mrr_cents, pipeline_id, stage } = deal;
  return draft(partner_id, deal, "deal.registered", {
    company: company ?? "",
    plan,
    mrr_cents: mrr_cents ?? 0,
    pipeline_id,
    stage,
    registration_status: registration.status,
    protected_until: registration.protected_until,
  });
}

/** A registration was decided, withdrawn or expired. The deal stays in its stage. */
export function registrationChanged(partner_id: string, deal: Deal, changed_by: string): EventDraft {
  const { pipeline_id, stage, stage_id, status, days_in_stage } = deal;
  return draft(partner_id, deal, "deal.stage_changed", {
    pipeline_id,
    from_stage: stage,
    from_stage_id: stage_id,
    to_stage: stage,
    to_stage_id: stage_id,
    stage_type: status,
    change: "registration",
    changed_by,
    days_in_stage,
  });
}

/** Sales concern the partner only: a key that is bound to clients does not see their events. */
function draft(partner_id: string, deal: Deal, type: EventDraft["type"], facts: Record<string, unknown>): EventDraft {
  const { id, client_id, version } = deal;
  const data = { deal_id: id, partner_id, client_id, ...facts };
  return { type, subject: id, subject_version: version, client_id: null, data };
}
