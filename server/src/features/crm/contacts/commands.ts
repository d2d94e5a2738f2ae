import { notFound } from "../../../kernel/errors.ts";
import { readPhone } from "../../../kernel/phone.ts";
import type { Queryable } from "../../../platform/db/statement.ts";
import { changesBetween } from "../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import {
  type Account,
  accountForChange,
  accountForNew,
  patchCustomValues,
  refuseUnknownOwner,
} from "../../accounts/custom-fields/index.ts";
import { type Identity, refuseDuplicate } from "../records/index.ts";
import type { Timelined } from "../timeline/index.ts";
import { familyOf } from "./merge/queries.ts";
import { type Contact, canonicalPhone, EMPTY, FIELDS, PERSONAL } from "./model.ts";
import { contactOrNull, contactsForUpdate, contactsLike, insertContact, saveContact } from "./queries.ts";
import type { ContactCreate, ContactPatch } from "./schema.ts";

export function createContact(ctx: Context, input: ContactCreate): Promise<Contact> {
  return ctx.txAtOnce(async (tx) => {
    const admission = accountForNew(ctx, tx, "contact", input.account_id);
    const inserted = tx.assuming ? null : insertEarly(ctx, tx, input);
    const account = await admission;
    const contact = await addContact(ctx, tx, account, input, inserted);
    return contact ?? refuseDuplicateIdentity(ctx, tx, account, identityOf(input));
  });
}

type Insertion = Promise<Contact | null>;

/**
 * The insert of a contact that needs nothing of its account but the permission, sent in one flight with the request for it: if the
 * account or a check refuses, the transaction is rolled back. Null for other contacts.
 */
function insertEarly(ctx: Context, tx: Tx, { account_id, custom, owner_id, ...input }: ContactCreate): Insertion | null {
  const { phone } = readPhone(input.phone);
  if (phone === null || account_id === undefined || custom !== undefined || typeof owner_id === "string") return null;
  const inserted = insertContact(tx, ctx.scope, account_id, { ...EMPTY, ...input, phone, custom: {} });
  inserted.catch(() => undefined);
  return inserted;
}

/** Adds a contact to an account that accepts writes; null when its identity is in use. */
export async function addContact(
  ctx: Context,
  tx: Tx,
  account: Account,
  input: ContactCreate,
  inserted: Insertion | null = null,
): Promise<Contact | null> {
  const phone = canonicalPhone(input.phone);
  const custom = patchCustomValues(account.fields, null, input.custom);
  const fields = { ...EMPTY, ...input, phone, custom };
  await refuseUnknownOwner(ctx, tx, account.id, fields.owner_id);
  const contact = await (inserted ?? insertContact(tx, ctx.scope, account.id, fields, account.shared_phones));
  if (contact === null) return null;
  const changes = changesBetween<Partial<Contact>>({ tags: [], custom: {} }, contact, FIELDS, PERSONAL);
  recordChange(tx, ctx.scope, { resource: "contact", change: "created", ...contact }, { action: "contacts.create", changes });
  return contact;
}

export async function getContact(ctx: Context, id: string) {
  return (await contactOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function updateContact(ctx: Context, id: string, patch: ContactPatch): Promise<Contact> {
  return ctx.tx(async (tx) => {
    const before = await lockContact(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "contact", before.account_id);
    return changeContact(ctx, tx, account, before, patch);
  });
}

/** Changes a locked contact; returns `before` itself when nothing changes. */
export async function changeContact(
  ctx: Context,
  tx: Tx,
  account: Account,
  before: Contact,
  patch: ContactPatch,
): Promise<Contact> {
  const phone = patch.phone === undefined ? before.phone : canonicalPhone(patch.phone);
  const custom = patchCustomValues(account.fields, before.custom, patch.custom);
  const after: Contact = { ...before, ...patch, phone, custom, phone_shared: account.shared_phones };
  if (after.owner_id !== before.owner_id) await refuseUnknownOwner(ctx, tx, account.id, after.owner_id);
  const changes = changesBetween(before, after, FIELDS, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  const saved =
    (await saveContact(tx, ctx.scope, after, before)) ?? (await refuseDuplicateIdentity(ctx, tx, account, after, before.id));
  recordChange(tx, ctx.scope, { resource: "contact", change: "updated", ...saved }, { action: "contacts.update", changes });
  return saved;
}

/** Soft-deletes a contact; retention erases it later. */
export function deleteContact(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const contact = await lockContact(ctx, tx, id);
    await accountForChange(ctx, tx, "contact", contact.account_id);
    await removeContact(ctx, tx, contact);
  });
}

/** Soft-deletes a locked contact. */
export async function removeContact(ctx: Context, tx: Tx, contact: Contact): Promise<void> {
  const deleted = (await saveContact(tx, ctx.scope, { ...contact, deleted_at: tx.now })) ?? contact;
  recordChange(tx, ctx.scope, { resource: "contact", change: "deleted", ...deleted }, { action: "contacts.delete" });
}

/** Locks a contact that the caller may change. */
export async function lockContact(ctx: Context, tx: Tx, id: string): Promise<Contact> {
  const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
  if (contact === undefined || contact.deleted_at !== null) notFound(id);
  requireVersion(ctx, contact);
  return contact;
}

/** The notes and the timeline of a contact include those of the contacts and leads that were merged into it. */
export const contactTimeline: Timelined = {
  name: "contacts",
  people: true,
  async find(ctx, id) {
    const { account_id, version } = await getContact(ctx, id);
    return { id, account_id, version, record_ids: await recordsOf(ctx, ctx.db, id) };
  },
  async lock(ctx, tx, id) {
    const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
    if (contact === undefined || contact.deleted_at !== null) notFound(id);
    await accountForChange(ctx, tx, "contact", contact.account_id);
    const { account_id, version } = contact;
    return { id, account_id, version, record_ids: await recordsOf(ctx, tx, id) };
  },
};

/** The ids of a contact, of the contacts that were merged into it, and of the leads that were converted to any of them. */
export async function recordsOf(ctx: Context, db: Queryable, id: string): Promise<string[]> {
  const family = await familyOf(db, ctx.scope, id);
  return [...family, ...(await ctx.hooks.leadsOf(db, ctx.scope, family))];
}

export function identityOf({ phone, email = null, external_id = null }: ContactCreate): Identity {
  return { phone: canonicalPhone(phone), email, external_id };
}

/** The part of an identity to match contacts by: where phones are shared, the phone only counts if there is nothing else. */
export function matchKeys({ shared_phones }: Account, identity: Identity): Identity {
  return shared_phones && (identity.email !== null || identity.external_id !== null) ? { ...identity, phone: null } : identity;
}

/** Refuses an identity that another contact has. */
export async function refuseDuplicateIdentity(
  ctx: Context,
  tx: Tx,
  account: Account,
  identity: Identity,
  own_id?: string,
): Promise<never> {
  const matches = await contactsLike(tx, ctx.scope, account.id, matchKeys(account, identity));
  return refuseDuplicate("contact", "duplicate_contact", matches, own_id);
}
