import { isDeepStrictEqual } from "node:util";
import { fail } from "../../../../kernel/errors.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import type { Sealer } from "../../../../platform/crypto/seal.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record } from "../../../../platform/record/tx.ts";
import { lockBooks } from "../../ledger/index.ts";
import { mailOwners } from "./mail.commands.ts";
import { type MethodInput, type NewMethod, readMethod } from "./model.ts";
import { currentMethod, endMethod, insertMethod, methodJsonOrNull, openDetails, type PayoutMethod } from "./queries.ts";

const AUDITED = ["kind", "holder", "currencies", "hint"] as const;
const PERSONAL = new Set(["holder"]);

type Audited = Partial<Pick<NewMethod, (typeof AUDITED)[number]>>;

export async function getPayoutMethod(ctx: Context, partner_id: string): Promise<{ json: string }> {
  return (await methodJsonOrNull(ctx.db.byKey, partner_id)) ?? failWithoutMethod();
}

/**
 * Sets where a partner is paid. The former method ends, and every owner is told: whoever redirects payouts cannot do so unseen.
 * Under the lock of the book a run pays to the former or to the new one, never to something in between.
 */
export function setPayoutMethod(ctx: Context, partner_id: string, input: MethodInput): Promise<{ json: string }> {
  const method = readMethod(input);
  return ctx.tx(async (tx) => {
    await lockBooks(tx, [partner_id]);
    const before = await currentMethod(tx, partner_id);
    if (before === null || !isSame(ctx.sealer, before, method)) {
      if (before !== null) await endMethod(tx, partner_id, before.id);
      const created_by = actorOf(ctx.principal).id;
      const target = await insertMethod(tx, ctx.sealer, { partner_id, method, created_by });
      const changes = changesBetween<Audited>(before ?? {}, method, AUDITED, PERSONAL);
      record(tx, { partner_id }, [], { action: "payout_method.update", target, client_id: null, changes });
      await mailOwners(ctx, tx, "payout_method_changed", { partner_id, method_id: target });
    }
    return (await methodJsonOrNull(tx, partner_id)) ?? failWithoutMethod();
  });
}

/** Removes the method: nothing is paid until another one is set. Payouts that were scheduled keep the details that they have. */
export function deletePayoutMethod(ctx: Context, partner_id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    await lockBooks(tx, [partner_id]);
    const before = (await currentMethod(tx, partner_id)) ?? failWithoutMethod();
    await endMethod(tx, partner_id, before.id);
    const changes = changesBetween<Audited>(before, {}, AUDITED, PERSONAL);
    record(tx, { partner_id }, [], { action: "payout_method.delete", target: before.id, client_id: null, changes });
    await mailOwners(ctx, tx, "payout_method_removed", { partner_id, method_id: before.id });
  });
}

/** A request that is sent again changes nothing, and tells nobody twice. */
function isSame(sealer: Sealer, { id, details, ...before }: PayoutMethod, { details: opened, ...after }: NewMethod): boolean {
  return isDeepStrictEqual(before, after) && isDeepStrictEqual(openDetails(sealer, { method_id: id, details }), opened);
}

function failWithoutMethod(): never {
  fail("not_found", { detail: "No payout method is set." });
}
