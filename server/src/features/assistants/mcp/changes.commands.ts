import type { Context } from "../../../platform/record/context.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { accountForChange } from "../../accounts/custom-fields/index.ts";
import { walkLead } from "../../agents/sessions/index.ts";
import { changeContact, lockContact } from "../../crm/contacts/index.ts";
import { changeLead, type LeadPatch, lockLead } from "../../crm/leads/index.ts";

export function tagContact(ctx: Context, id: string, tag: string) {
  return ctx.tx(async (tx) => {
    const before = await lockContact(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "contact", before.account_id);
    return changeContact(ctx, tx, account, before, { tags: withTags(before.tags, [tag]) });
  });
}

export function tagLead(ctx: Context, id: string, tag: string) {
  return ctx.tx(async (tx) => {
    const before = await lockLead(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "lead", before.account_id);
    return changeLead(ctx, tx, account, before, { tags: withTags(before.tags, [tag]) });
  });
}

/** Changes a lead as an agent does: step by step to a status that cannot be had at once. */
export function changeLeadOnItsWay(ctx: Context, id: string, { status, ...patch }: LeadPatch) {
  return ctx.tx(async (tx) => {
    await walkLead(ctx, tx, id, patch, status);
    return lockLead(ctx, tx, id);
  });
}
