import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { type Account, accountForNew } from "../../accounts/custom-fields/index.ts";
import { hasIdentity, type Identity, upsertRecord } from "../records/index.ts";
import { addContact, changeContact, identityOf, matchKeys } from "./commands.ts";
import type { Contact } from "./model.ts";
import { contactsForUpdate, contactsLike } from "./queries.ts";
import type { ContactCreate, ContactPatch } from "./schema.ts";

/** Updates the contact with the same phone, e-mail or external id, or creates one. Tags are added to the existing ones. */
export function upsertContact(ctx: Context, input: ContactCreate): Promise<Contact & { created: boolean }> {
  const { account_id, tags, ...fields } = input;
  const identity = identityOf(input);
  return ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "contact", account_id);
    const { record, before } = await upsertByIdentity(ctx, tx, account, identity, {
      create: () => input,
      patch: (found) => ({ ...fields, ...(tags === undefined ? {} : { tags: withTags(found.tags, tags) }) }),
    });
    return { ...record, created: before === null };
  });
}

export type UpsertInput = { create(): ContactCreate; patch(found: Contact): ContactPatch };

/** Patches the contact with an identity, or creates it. Returns its state before, too. */
export function upsertByIdentity(ctx: Context, tx: Tx, account: Account, identity: Identity, { create, patch }: UpsertInput) {
  const keys = matchKeys(account, identity);
  return upsertRecord<Contact>("contact", {
    find: () => contactsLike(tx, ctx.scope, account.id, keys),
    async lock(id) {
      const [found] = await contactsForUpdate(tx, ctx.scope, [id]);
      return found !== undefined && found.deleted_at === null && hasIdentity(found, keys) ? found : null;
    },
    add: () => addContact(ctx, tx, account, create()),
    change: (found) => changeContact(ctx, tx, account, found, patch(found)),
  });
}
