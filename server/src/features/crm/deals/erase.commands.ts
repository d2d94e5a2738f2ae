import type { Context } from "../../../platform/record/context.ts";
import { recordChange } from "../../../platform/record/tx.ts";
import { eraseImages } from "../records/index.ts";
import { eraseNotes } from "../timeline/index.ts";
import { claimsOf, subtractClaims } from "./claims/model.ts";
import { deleteClaims } from "./claims/queries.ts";
import { type Erased, saveErased } from "./erase.queries.ts";
import type { Deal } from "./model.ts";
import { dealsForUpdate } from "./queries.ts";

/** The name of an erased deal without a company. */
const ERASED_NAME = "Erased";

/**
 * Erases what may be personal in a deal: all of it in a deleted one. A deal of an erased contact stays with its stage, amounts, tags and
 * external id, and a sale with its company, which is registered.
 */
export function eraseDeal(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const { partner_id } = ctx.scope;
    const [before] = await dealsForUpdate(tx, ctx.scope, [id]);
    if (before === undefined) throw new Error(`there is no deal ${id}`);
    const left = leftOf(before);
    await eraseNotes(tx, partner_id, [id]);
    await eraseImages(tx, partner_id, [id]);
    await deleteClaims(tx, ctx.scope, id, subtractClaims(claimsOf(before), claimsOf(left)));
    const version = await saveErased(tx, ctx.scope, id, left);
    const change = before.deleted_at === null ? "updated" : "erased";
    recordChange(tx, ctx.scope, { resource: "deal", ...before, change, version }, { action: "deals.erase" });
  });
}

function leftOf({ deleted_at, sale, company, company_domain, tags, external_id }: Deal): Erased {
  const kept = deleted_at === null;
  const sold = kept && sale;
  return {
    name: (sold ? company : null) ?? ERASED_NAME,
    company: sold ? company : null,
    company_domain: sold ? company_domain : null,
    contact: null,
    notes: null,
    tags: kept ? tags : [],
    custom: {},
    external_id: kept ? external_id : null,
    lost_reason: null,
  };
}
