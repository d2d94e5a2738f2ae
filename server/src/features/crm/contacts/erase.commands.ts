import { notFound } from "../../../kernel/errors.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange } from "../../../platform/record/tx.ts";
import { recordsOf } from "./commands.ts";
import { eraseContacts } from "./erase.queries.ts";
import { contactsForUpdate } from "./queries.ts";

/** Erases a contact, and those that were merged into it. Allowed for suspended and closed clients too: an erasure cannot wait. */
export function eraseContact(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
    if (contact === undefined) notFound(id);
    requireVersion(ctx, contact);
    if (contact.erased_at !== null) return;
    const records = await recordsOf(ctx, tx, id);
    for (const erased of await eraseContacts(tx, ctx.hooks, ctx.scope.partner_id, records, tx.now)) {
      recordChange(tx, ctx.scope, { resource: "contact", change: "erased", ...erased }, { action: "contacts.erase" });
    }
  });
}
