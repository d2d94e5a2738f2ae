import type { EventDraft, EventType } from "../../../kernel/events.ts";
import type { Deal, Move } from "./model.ts";

/** A deal of the house account was moved to another stage. */
export function dealStageChanged(partner_id: string, deal: Deal, move: Move, changed_by: string): EventDraft {
  const { client_id } = deal;
  return draft(partner_id, deal, "deal.stage_changed", { client_id, ...move, change: "stage", changed_by });
}

/** A sale was won for the first time. */
export function dealWon(partner_id: string, deal: Deal, first_commission_cents: number): EventDraft {
  const { client_id, company, plan, mrr_cents } = deal;
  return draft(partner_id, deal, "deal.won", { client_id, company, plan, mrr_cents, first_commission_cents });
}

/** Sales concern the partner only: a key that is bound to a client does not see them, not even those to this client. */
function draft(partner_id: string, deal: Deal, type: EventType, facts: Record<string, unknown>): EventDraft {
  const { id, version } = deal;
  return { type, subject: id, subject_version: version, client_id: null, data: { deal_id: id, partner_id, ...facts } };
}
