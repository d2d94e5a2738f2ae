import type { Context } from "../../../platform/record/context.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { withTags } from "../../accounts/clients/index.ts";
import { type Account, accountForNew } from "../../accounts/custom-fields/index.ts";
import { type Identity, type Match, upsertRecord } from "../records/index.ts";
import { addContact, changeContact, identityOf, matchKeys } from "./commands.ts";
import type { Contact } from "./model.ts";
import { contactsLikeForUpdate } from "./queries.ts";
import type { ContactCreate, ContactPatch } from "./schema.ts";

/** Updates the contact with the same phone, e-mail or external id, or creates one. Tags are added to the existing ones. */
export function upsertContact(ctx: Context, input: ContactCreate): Promise<Contact & { created: boolean }> {
  const { account_id, tags, ...fields } = input;
  const identity = identityOf(input);
  return ctx.txAtOnce(async (tx) => {
    const admission = accountForNew(ctx, tx, "contact", account_id);
    const found = findEarly(ctx, tx, account_id, identity);
    const upsert: UpsertInput = {
      create: () => input,
      patch: (contact) => ({ ...fields, ...(tags === undefined ? {} : { tags: withTags(contact.tags, tags) }) }),
    };
    const { record, before } = await upsertByIdentity(ctx, tx, await admission, identity, upsert, found);
    return { ...record, created: before === null };
  });
}

type Found = Promise<(Contact & Match)[]>;

/** The search for the contact, sent in one flight with the request for the account's permission. */
function findEarly(ctx: Context, tx: Tx, account_id: string | undefined, identity: Identity): Found | null {
  if (account_id === undefined) return null;
  const found = contactsLikeForUpdate(tx, ctx.scope, account_id, identity);
  found.catch(() => undefined);
  return found;
}

export type UpsertInput = { create(): ContactCreate; patch(found: Contact): ContactPatch };

/** Patches the contact with an identity, or creates it. Returns its state before, too. */
export function upsertByIdentity(
  ctx: Context,
  tx: Tx,
  account: Account,
  identity: Identity,
  { create, patch }: UpsertInput,
  early: Found | null = null,
) {
  const keys = matchKeys(account, identity);
  let found = keys === identity ? early : null;
  return upsertRecord<Contact>("contact", {
    find() {
      const first = found;
      found = null;
      return first ?? contactsLikeForUpdate(tx, ctx.scope, account.id, keys);
    },
    add: () => addContact(ctx, tx, account, create()),
    change: (found) => changeContact(ctx, tx, account, found, patch(found)),
  });
}
