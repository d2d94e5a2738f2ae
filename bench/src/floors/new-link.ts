import type { NewLink } from "@tributary/server/src/features/billing/payment-links/queries.ts";
import { newId } from "@tributary/server/src/kernel/ids.ts";

/** The link that the body of a request asks for, with the product's defaults. */
export function newLink(body: string, account_id: string, token: string, now: Date): NewLink {
  const { customer, amount_cents, currency, description } = JSON.parse(body);
  return {
    ...{ id: newId("payment_link", now.getTime()), account_id, contact_id: null, currency, description, reference: null },
    ...{ usage: "single", uses_max: null, deal_id: null, conversation_id: null, provider_id: null, charge: null, on_paid: null },
    ...{ status: "active", paid_cents: 0, reserved_cents: 0, refunded_cents: 0, tips_cents: 0, paid_at: null, version: 1 },
    ...{ total_cents: amount_cents, limit_cents: amount_cents, line_items: null, partial: null, tip: null, collect: [] },
    ...{ customer: { phone: null, email: null, ...customer }, metadata: {}, language: null, remind: null, due_on: null },
    ...{ timezone: "UTC", token, expires_at: new Date(now.getTime() + 86_400_000).toISOString(), created_by: account_id },
  } as unknown as NewLink;
}
