import { fail } from "../../../kernel/errors.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { getPartner } from "../../programme/partners/index.ts";
import { lockBooks, type PayoutHold, payoutHold, savePayoutHold } from "../ledger/index.ts";
import type { PayoutHoldPut } from "./hold.schema.ts";

const shown = (hold: PayoutHold) => ({ version: hold.version, json: JSON.stringify(hold) });

export async function getPayoutHold(ctx: Context, partner_id: string) {
  await getPartner(ctx, partner_id);
  return shown(await payoutHold(ctx.db.byKey, partner_id));
}

/** Holds the payouts of a partner, or releases them. A run that goes on leaves the partner out from then on. */
export async function setPayoutHold(ctx: Context, partner_id: string, { held, reason = null }: PayoutHoldPut) {
  if (held !== (reason !== null)) refuseReason(held);
  await getPartner(ctx, partner_id);
  return ctx.tx(async (tx) => {
    await lockBooks(tx, [partner_id]);
    const before = await payoutHold(tx, partner_id);
    requireVersion(ctx, before);
    const changes = changesBetween<Omit<PayoutHold, "version">>(before, { held, reason }, ["held", "reason"]);
    if (Object.keys(changes).length === 0) return shown(before);
    record(tx, { partner_id }, [], { action: "payout_hold.update", target: partner_id, client_id: null, changes });
    return shown(await savePayoutHold(tx, partner_id, { held, reason }));
  });
}

function refuseReason(held: boolean): never {
  const detail = held ? "reason is required to hold payouts." : "reason belongs to a hold. Leave it out to release payouts.";
  const code = held ? "reason_required" : "reason_of_hold";
  fail("validation_failed", { detail, faults: [{ in: "body", pointer: "#/reason", code, detail }] });
}
