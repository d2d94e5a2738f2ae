import { compile } from "../../../platform/http/validation.ts";
import type { Bulk } from "../records/index.ts";
import { addLead, changeLead, identityOf, refuseTaken, removeLead } from "./commands.ts";
import type { Lead } from "./model.ts";
import { leadsForUpdate } from "./queries.ts";
import { LeadCreate, LeadPatch } from "./schema.ts";

export const leadBulk: Bulk<Lead> = {
  kind: "lead",
  many: "leads",
  ids: "lead_ids",
  checkCreate: compile(LeadCreate, "body"),
  checkPatch: compile(LeadPatch, "body"),
  lock: (ctx, tx, ids) => leadsForUpdate(tx, ctx.scope, ids),
  async add(ctx, tx, account, item) {
    const input = item as LeadCreate;
    return (await addLead(ctx, tx, account, input)) ?? refuseTaken(ctx, tx, account.id, identityOf(input));
  },
  change: changeLead,
  remove: removeLead,
};
