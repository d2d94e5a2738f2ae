import type { Context } from "../../../platform/record/context.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { accountForNew } from "../../accounts/custom-fields/index.ts";
import { upsertRecord } from "../records/index.ts";
import { addLead, changeLead, identityOf } from "./commands.ts";
import { type Lead, refuseIdentity } from "./model.ts";
import { leadsLikeForUpdate } from "./queries.ts";
import type { LeadCreate } from "./schema.ts";

/** Updates the lead with the phone, the e-mail or the external id, or creates it. Tags are added to the existing ones. */
export function upsertLead(ctx: Context, input: LeadCreate): Promise<Lead & { created: boolean }> {
  const { account_id, tags, ...fields } = input;
  const identity = identityOf(input);
  if (Object.values(identity).every((value) => value === null)) refuseIdentity(["phone", "email", "external_id"]);
  return ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "lead", account_id);
    const { record, before } = await upsertRecord<Lead>("lead", {
      find: () => leadsLikeForUpdate(tx, ctx.scope, account.id, identity),
      add: () => addLead(ctx, tx, account, input),
      change: (found) =>
        changeLead(ctx, tx, account, found, { ...fields, ...(tags === undefined ? {} : { tags: withTags(found.tags, tags) }) }),
    });
    return { ...record, created: before === null };
  });
}
