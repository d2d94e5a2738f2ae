import type { Context, Tx } from "../../../platform/record/context.ts";
import { type Account, accountForNew } from "../../accounts/index.ts";
import { withTags } from "../../clients/index.ts";
import { changeOrAdd, hasIdentity, type Identity } from "../../records/index.ts";
import { addContact, changeContact, identityOf } from "../commands.ts";
import type { Contact } from "../model.ts";
import { contactsForUpdate, contactsLike } from "../queries.ts";
import type { ContactCreate, ContactPatch } from "../schema.ts";

/** Changes the contact that has the phone, the e-mail or the external id, or makes it. Tags are added to those that are there. */
export function upsertContact(ctx: Context, input: ContactCreate): Promise<Contact & { created: boolean }> {
  const { account_id, tags, ...fields } = input;
  const identity = identityOf(input);
  return ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "contact", account_id);
    const { record, before } = await settleContact(ctx, tx, account, identity, {
      create: () => input,
      patch: (found) => ({ ...fields, ...(tags === undefined ? {} : { tags: withTags(found.tags, tags) }) }),
    });
    return { ...record, created: before === null };
  });
}

export type Settling = { create(): ContactCreate; patch(found: Contact): ContactPatch };

/** The one contact with an identity, changed as `patch` says, or made; and what it was before. */
export function settleContact(ctx: Context, tx: Tx, account: Account, identity: Identity, { create, patch }: Settling) {
  return changeOrAdd<Contact>("contact", {
    find: () => contactsLike(tx, ctx.scope, account.id, identity),
    async lock(id) {
      const [found] = await contactsForUpdate(tx, ctx.scope, [id]);
      return found !== undefined && found.deleted_at === null && hasIdentity(found, identity) ? found : null;
    },
    add: () => addContact(ctx, tx, account, create()),
    change: (found) => changeContact(ctx, tx, account, found, patch(found)),
  });
}
