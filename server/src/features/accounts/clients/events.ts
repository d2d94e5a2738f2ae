import type { EventDraft, EventType } from "../../../kernel/events.ts";
import { type Client, type ClientStatus, daysBetween } from "./model.ts";

export function clientCreated(client: Client, snapshots: readonly string[], deal_id: string | null): EventDraft {
  const { plan, mrr_cents, currency, status, external_id } = client;
  return draft(client, "client.created", { plan, mrr_cents, currency, status, external_id, snapshots, deal_id });
}

export function clientActivated(client: Client, previous_status: ClientStatus): EventDraft {
  const { plan, mrr_cents } = client;
  return draft(client, "client.activated", { plan, mrr_cents, previous_status, reactivated: previous_status !== "pending" });
}

export function clientSuspended(client: Client): EventDraft {
  return draft(client, "client.suspended", {
    reason: client.status_reason,
    suspended_by: "partner",
    mrr_at_risk_cents: client.mrr_cents,
  });
}

export function clientChurned(client: Client, now: Date): EventDraft {
  return draft(client, "client.churned", {
    reason: client.status_reason,
    lost_mrr_cents: client.mrr_cents,
    lifetime_days: daysBetween(client.created_at, now),
  });
}

function draft(client: Client, type: EventType, facts: Record<string, unknown>): EventDraft {
  const { id, partner_id, company, version } = client;
  return { type, subject: id, subject_version: version, client_id: id, data: { client_id: id, partner_id, company, ...facts } };
}
