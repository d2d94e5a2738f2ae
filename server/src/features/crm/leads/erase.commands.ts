import { notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { eraseLeads } from "./erase.queries.ts";
import { leadsForUpdate } from "./queries.ts";

/** Erases a lead, even if it is deleted or its client is suspended or churned. Its contact is a record of its own. */
export function eraseLead(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const [lead] = await leadsForUpdate(tx, ctx.scope, [id]);
    if (lead === undefined) notFound(id);
    requireVersion(ctx, lead);
    if (lead.erased_at === null) await eraseLocked(ctx, tx, [id]);
  });
}

/** Erases leads whose time has come. Returns how many. */
export function eraseDueLeads(ctx: Context, ids: readonly string[]): Promise<number> {
  return ctx.tx(async (tx) => {
    await leadsForUpdate(tx, ctx.scope, ids);
    return eraseLocked(ctx, tx, ids);
  });
}

async function eraseLocked(ctx: Context, tx: Tx, ids: readonly string[]): Promise<number> {
  const erased = await eraseLeads(tx, ctx.hooks, ctx.scope.partner_id, ids, tx.now);
  for (const lead of erased) {
    recordChange(tx, ctx.scope, { resource: "lead", change: "erased", ...lead }, { action: "leads.erase" });
  }
  return erased.length;
}
