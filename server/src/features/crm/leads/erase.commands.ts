import { notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange } from "../../../platform/record/tx.ts";
import { eraseLeads } from "./erase.queries.ts";
import { leadsForUpdate } from "./queries.ts";

/** Erases a lead, even if it is deleted or its client is suspended or churned. Its contact is a record of its own. */
export function eraseLead(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const [lead] = await leadsForUpdate(tx, ctx.scope, [id]);
    if (lead === undefined) notFound(id);
    requireVersion(ctx, lead);
    if (lead.erased_at !== null) return;
    for (const erased of await eraseLeads(tx, ctx.hooks, ctx.scope.partner_id, [id], tx.now)) {
      recordChange(tx, ctx.scope, { resource: "lead", change: "erased", ...erased }, { action: "leads.erase" });
    }
  });
}
