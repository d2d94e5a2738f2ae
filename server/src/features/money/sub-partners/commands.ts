import { fail, notFound } from "../../../kernel/errors.ts";
import type { Paging } from "../../../platform/db/keyset.ts";
import type { Context } from "../../../platform/record/context.ts";
import { record } from "../../../platform/record/tx.ts";
import { programme } from "../../programme/operators/index.ts";
import { admitPartner, lockTree, UPLINE_MAX, uplineOf } from "../../programme/partners/index.ts";
import { subPartnerOrNull, subPartnersPage } from "./queries.ts";
import type { SubPartner, SubPartnerCreate } from "./schema.ts";

export function listSubPartners(ctx: Context, paging: Paging): Promise<{ json: string }> {
  return subPartnersPage(ctx.db, ctx.scope.partner_id, paging);
}

export async function getSubPartner(ctx: Context, id: string): Promise<{ json: string }> {
  return resultOf((await subPartnerOrNull(ctx.db, ctx.scope.partner_id, id)) ?? notFound(id));
}

/** Admits a partner below the caller with the lowest grade and without API access, and invites its owner by e-mail. */
export function inviteSubPartner(ctx: Context, { company, owner, currency }: SubPartnerCreate): Promise<{ json: string }> {
  const { partner_id: parent_id } = ctx.scope;
  return ctx.tx(async (tx) => {
    if ((await programme(tx)).sub_partner_invites === "off") fail("sub_partners_off");
    await lockTree(tx);
    const above = 1 + (await uplineOf(tx, parent_id)).length;
    if (above > UPLINE_MAX) fail("tree_too_deep", { detail: `A partner can have at most ${UPLINE_MAX} partners above it.` });
    const { id } = await admitPartner(ctx, tx, { company, owner, parent_id, ...(currency === undefined ? {} : { currency }) });
    record(tx, ctx.scope, [], { action: "sub_partners.create", target: id, client_id: null });
    return resultOf((await subPartnerOrNull(tx, parent_id, id)) ?? notFound(id));
  });
}

const resultOf = (partner: SubPartner) => ({ id: partner.partner_id, json: JSON.stringify(partner) });
