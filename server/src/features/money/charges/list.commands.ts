import { notFound } from "../../../kernel/errors.ts";
import { OPERATOR_TENANT } from "../../../kernel/principal.ts";
import type { Context } from "../../../platform/record/context.ts";
import { allChargesPage, chargeDetailOrNull, chargesPage, partnerOfClientOrNull } from "./list.queries.ts";
import type { AllChargesQuery } from "./list.schema.ts";
import { partnerOfCharge } from "./queries.ts";

/** The charges of all partners, of one, or of one client. */
export async function listAllCharges(ctx: Context, { partner_id, ...query }: AllChargesQuery): Promise<{ json: string }> {
  if (partner_id === undefined && query.client_id === undefined) return allChargesPage(ctx.db, query);
  const owner = partner_id ?? (await partnerOfClientOrNull(ctx.db.byKey, query.client_id ?? "")) ?? OPERATOR_TENANT;
  return chargesPage(ctx.db, { partner_id: owner, clients: "all" }, query);
}

export async function getCharge(ctx: Context, partner_id: string, id: string): Promise<{ json: string }> {
  return (await chargeDetailOrNull(ctx.db.byKey, partner_id, id)) ?? notFound(id);
}

/** A charge of any partner's, for the operator. */
export async function getAnyCharge(ctx: Context, id: string): Promise<{ json: string }> {
  return getCharge(ctx, (await partnerOfCharge(ctx.db.byKey, id)) ?? notFound(id), id);
}
