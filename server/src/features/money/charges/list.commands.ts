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

/** A charge of any partner's, for the operator. */
export async function getCharge(ctx: Context, id: string): Promise<{ json: string }> {
  const partner_id = (await partnerOfCharge(ctx.db.byKey, id)) ?? notFound(id);
  return (await chargeDetailOrNull(ctx.db.byKey, partner_id, id)) ?? notFound(id);
}
