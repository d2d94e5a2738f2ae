import { compile } from "../../../platform/http/validation.ts";
import type { Bulk } from "../records/index.ts";
import { addContact, changeContact, identityOf, refuseDuplicateIdentity, removeContact } from "./commands.ts";
import type { Contact } from "./model.ts";
import { contactsForUpdate } from "./queries.ts";
import { ContactCreate, ContactPatch } from "./schema.ts";

export const contactBulk: Bulk<Contact> = {
  kind: "contact",
  many: "contacts",
  ids: "contact_ids",
  checkCreate: compile(ContactCreate, "body"),
  checkPatch: compile(ContactPatch, "body"),
  lock: (ctx, tx, ids) => contactsForUpdate(tx, ctx.scope, ids),
  async add(ctx, tx, account, item) {
    const input = item as ContactCreate;
    return (await addContact(ctx, tx, account, input)) ?? refuseDuplicateIdentity(ctx, tx, account, identityOf(input));
  },
  change: changeContact,
  remove: removeContact,
};
