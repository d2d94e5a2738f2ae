import type { EventDraft } from "../../../kernel/events.ts";
import type { Purchase, Role } from "./model.ts";

/** A snapshot was purchased, as one side learns of it. */
export function snapshotPurchased(purchase: Purchase, role: Role): EventDraft {
  const { id, snapshot_id, snapshot_version, price_cents, currency, seller_share_cents, version } = purchase;
  return {
    type: "snapshot.purchased",
    subject: id,
    subject_version: version,
    client_id: null,
    data: {
      purchase_id: id,
      snapshot_id,
      partner_id: role === "buyer" ? purchase.buyer_partner_id : purchase.seller_partner_id,
      version: snapshot_version,
      price_cents,
      currency,
      seller_share_cents,
      role,
    },
  };
}
