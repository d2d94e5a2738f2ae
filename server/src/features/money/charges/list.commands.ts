import { notFound } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { allChargesPage, chargeDetailOrNull, partnerOfClientOrNull } from "./list.queries.ts";
import type { AllChargesQuery } from "./list.schema.ts";
import { partnerOfCharge } from "./queries.ts";

/** The charges of all partners, of one, or of one client. */
export async function listAllCharges(ctx: Context, query: AllChargesQuery): Promise<{ json: string }> {
  if (query.client_id === undefined || query.partner_id !== undefined) return allChargesPage(ctx.db, query);
  const partner_id = await partnerOfClientOrNull(ctx.db.byKey, query.client_id);
  return allChargesPage(ctx.db, partner_id === null ? query : { ...query, partner_id });
}

/** A charge of any partner's, for the operator. */
export async function getCharge(ctx: Context, id: string): Promise<{ json: string }> {
  const partner_id = (await partnerOfCharge(ctx.db.byKey, id)) ?? notFound(id);
  return (await chargeDetailOrNull(ctx.db.byKey, partner_id, id)) ?? notFound(id);
}
