import { fail } from "../../../kernel/errors.ts";
import type { Context } from "../../../platform/record/context.ts";
import { accountForNew } from "../../accounts/index.ts";
import { withTags } from "../../clients/index.ts";
import { addContact, changeContact, identityOf, refuseAmbiguous } from "../commands.ts";
import type { Contact } from "../model.ts";
import { contactsForUpdate, contactsLike, type Identity } from "../queries.ts";
import type { ContactCreate } from "../schema.ts";

/** How often a contact may come or go between the look and the write. */
const ROUNDS_MAX = 5;

/**
 * Changes the contact that has the phone, the e-mail or the external id, or makes it. Whoever comes second finds what the first has
 * made: an insert waits for another of the same, and then there is one to change. Tags are added to those that are there.
 */
export function upsertContact(ctx: Context, input: ContactCreate): Promise<Contact & { created: boolean }> {
  const { account_id, tags, ...fields } = input;
  const identity = identityOf(input);
  return ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "contact", account_id);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const matches = await contactsLike(tx, ctx.scope, account.id, identity);
      if (matches.length > 1) refuseAmbiguous(matches);
      if (matches[0] === undefined) {
        const made = await addContact(ctx, tx, account, input);
        if (made !== null) return { ...made, created: true };
        continue;
      }
      const [before] = await contactsForUpdate(tx, ctx.scope, [matches[0].id]);
      if (before === undefined || !isStillIt(before, identity)) continue;
      const added = tags === undefined ? {} : { tags: withTags(before.tags, tags) };
      return { ...(await changeContact(ctx, tx, account, before, { ...fields, ...added })), created: false };
    }
    fail("service_unavailable", { detail: "The contact changes too fast just now.", headers: { "retry-after": "1" } });
  });
}

/** Whether a contact that was found is, now that it is locked, still there and still the one meant. */
function isStillIt(contact: Contact, { phone, email, external_id }: Identity): boolean {
  if (contact.deleted_at !== null) return false;
  const sameEmail = email !== null && contact.email?.toLowerCase() === email.toLowerCase();
  return contact.phone === phone || sameEmail || (external_id !== null && contact.external_id === external_id);
}
