import type { EventDraft, EventType } from "../../../kernel/events.ts";
import type { Deal, Move } from "./model.ts";

/** A sale moved to another stage. */
export function dealStageChanged(partner_id: string, deal: Deal, move: Move, changed_by: string): EventDraft {
  const { client_id } = deal;
  return draft(partner_id, deal, "deal.stage_changed", { client_id, ...move, change: "stage", changed_by });
}

/** A sale was won for the first time: exactly these seven. */
export function dealWon(partner_id: string, deal: Deal, first_commission_cents: number): EventDraft {
  const { client_id, company, plan, mrr_cents } = deal;
  return draft(partner_id, deal, "deal.won", { client_id, company, plan, mrr_cents, first_commission_cents });
}

/** A sale is the partner's business, so that it concerns no client: not even the one that it makes is told what it earned. */
function draft(partner_id: string, deal: Deal, type: EventType, facts: Record<string, unknown>): EventDraft {
  const { id, version } = deal;
  return { type, subject: id, subject_version: version, client_id: null, data: { deal_id: id, partner_id, ...facts } };
}
