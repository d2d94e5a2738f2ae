import { notFound } from "../../../kernel/errors.ts";
import { type Context, recordChange, requireVersion } from "../../../platform/record/context.ts";
import { familyOf } from "../merge/queries.ts";
import { contactsForUpdate } from "../queries.ts";
import { eraseContacts } from "./queries.ts";

/**
 * Erases a contact, also one that is deleted, and those that were merged into it. A client that is suspended or closed does not
 * stand against it: whoever asks to be forgotten need not wait for that.
 */
export function eraseContact(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
    if (contact === undefined) notFound(id);
    requireVersion(ctx, contact);
    if (contact.erased_at !== null) return;
    const family = await familyOf(tx, ctx.scope, id);
    for (const erased of await eraseContacts(tx, ctx.scope.partner_id, family, tx.now)) {
      recordChange(tx, { resource: "contact", change: "erased", ...erased }, { action: "contacts.erase" });
    }
  });
}
