import { notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import { recordsOf } from "./commands.ts";
import { eraseContacts } from "./erase.queries.ts";
import { familiesOf } from "./merge/queries.ts";
import { contactsForUpdate } from "./queries.ts";

/** Erases a contact, and those that were merged into it. Allowed for suspended and closed clients too: an erasure cannot wait. */
export function eraseContact(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
    if (contact === undefined) notFound(id);
    requireVersion(ctx, contact);
    if (contact.erased_at === null) await eraseLocked(ctx, tx, await recordsOf(ctx, tx, id));
  });
}

/** Erases contacts at the end of their retention, and those that were merged into them. Returns how many. */
export function eraseDueContacts(ctx: Context, ids: readonly string[]): Promise<number> {
  return ctx.tx(async (tx) => {
    await contactsForUpdate(tx, ctx.scope, ids);
    return eraseLocked(ctx, tx, await familiesOf(tx, ctx.scope.partner_id, ids));
  });
}

async function eraseLocked(ctx: Context, tx: Tx, ids: readonly string[]): Promise<number> {
  const erased = await eraseContacts(tx, ctx.hooks, ctx.scope.partner_id, ids, tx.now);
  for (const contact of erased) {
    recordChange(tx, ctx.scope, { resource: "contact", change: "erased", ...contact }, { action: "contacts.erase" });
  }
  return erased.length;
}
