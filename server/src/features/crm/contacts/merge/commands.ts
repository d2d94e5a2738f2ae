import { type Fault, fail, notFound } from "../../../../kernel/errors.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { withTags } from "../../../accounts/clients/index.ts";
import { accountForChange } from "../../../accounts/custom-fields/index.ts";
import { type Contact, type ContactFields, FIELDS, imageOf, KEEP_DELETED_MS, PERSONAL } from "../model.ts";
import { contactsForUpdate, saveContact } from "../queries.ts";
import { mergedFields } from "./model.ts";
import { insertMerge, type MergeRow, markUndone, mergeForUpdateOrNull } from "./queries.ts";
import type { MergeRequest } from "./schema.ts";

/** Merges a contact into another and deletes it. Images of both are kept for an undo. */
export function mergeContacts(ctx: Context, id: string, { from_id, take = [] }: MergeRequest) {
  return ctx.tx(async (tx) => {
    const { into, from } = await lockBoth(ctx, tx, id, from_id);
    await accountForChange(ctx, tx, "contact", into.account_id);
    const after = { ...into, ...mergedFields(into, from, take, withTags(into.tags, from.tags)) };
    const deleted = await saveOrRefuse(ctx, tx, { ...from, deleted_at: tx.now, merged_into: into.id });
    const saved = await saveOrRefuse(ctx, tx, after);
    const merge_id = tx.newId("merge");
    await insertMerge(tx, ctx.scope, {
      id: merge_id,
      account_id: saved.account_id,
      into_id: saved.id,
      from_id: deleted.id,
      into_before: imageOf(into),
      from_before: imageOf(from),
      into_version: saved.version,
      from_version: deleted.version,
      created_at: tx.now,
    });
    const changes = { ...changesBetween(into, saved, FIELDS, PERSONAL), merged: { from: from_id, to: merge_id } };
    recordChange(tx, ctx.scope, { resource: "contact", change: "merged", ...saved }, { action: "contacts.merge", changes });
    recordChange(
      tx,
      ctx.scope,
      { resource: "contact", change: "deleted", ...deleted },
      { action: "contacts.merge", changes: { merged_into: { from: null, to: id } } },
    );
    const undo_until = new Date(tx.now.getTime() + KEEP_DELETED_MS).toISOString();
    const head = JSON.stringify({ id: merge_id, from_id, undo_until });
    return { json: `${head.slice(0, -1)},"contact":${saved.json}}` };
  });
}

/** Locks both contacts, which must exist and belong to one account. */
async function lockBoth(ctx: Context, tx: Tx, id: string, from_id: string): Promise<{ into: Contact; from: Contact }> {
  const found = (await contactsForUpdate(tx, ctx.scope, [id, from_id])).filter(({ deleted_at }) => deleted_at === null);
  const into = found.find((contact) => contact.id === id) ?? notFound(id);
  requireVersion(ctx, into);
  if (id === from_id) refuseOther("same_contact", "A contact cannot be merged into itself.");
  const from =
    found.find((contact) => contact.id === from_id) ?? refuseOther("unknown_contact", `The contact ${from_id} was not found.`);
  if (from.account_id !== into.account_id) refuseOther("other_account", "The two contacts belong to different accounts.");
  return { into, from };
}

function refuseOther(code: string, detail: string): never {
  const fault: Fault = { in: "body", pointer: "#/from_id", code, detail };
  fail("validation_failed", { detail, faults: [fault] });
}

async function saveOrRefuse(ctx: Context, tx: Tx, contact: Contact): Promise<Contact> {
  return (
    (await saveContact(tx, ctx.scope, contact)) ??
    refuseUndo("identity_taken", "another contact has the phone, e-mail or external id now")
  );
}

/** Undoes a merge: restores both contacts, unless one has changed since. */
export function undoMerge(ctx: Context, id: string) {
  return ctx.tx(async (tx) => {
    const merge = (await mergeForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    const contacts = await contactsForUpdate(tx, ctx.scope, [merge.into_id, merge.from_id]);
    const into = contacts.find((contact) => contact.id === merge.into_id);
    const from = contacts.find((contact) => contact.id === merge.from_id);
    if (into === undefined || from === undefined) notFound(id);
    requireVersion(ctx, into);
    const before = imagesToRestore(merge, into, from, tx.now);
    const { shared_phones: phone_shared } = await accountForChange(ctx, tx, "contact", into.account_id);
    const contact = await saveOrRefuse(ctx, tx, { ...into, ...before.into, phone_shared });
    const revived = { ...from, ...before.from, phone_shared, deleted_at: null, merged_into: null };
    const restored = await saveOrRefuse(ctx, tx, revived);
    await markUndone(tx, ctx.scope, id);
    const changes = { ...changesBetween(into, contact, FIELDS, PERSONAL), unmerged: { from: id, to: from.id } };
    recordChange(tx, ctx.scope, { resource: "contact", change: "restored", ...contact }, { action: "contacts.unmerge", changes });
    recordChange(
      tx,
      ctx.scope,
      { resource: "contact", change: "restored", ...restored },
      { action: "contacts.unmerge", changes: { merged_into: { from: into.id, to: null } } },
    );
    return { json: `{"contact":${contact.json},"restored":${restored.json}}` };
  });
}

/** The images of both contacts, if neither has changed since the merge: otherwise an undo would lose later changes. */
function imagesToRestore(merge: MergeRow, into: Contact, from: Contact, now: Date): { into: ContactFields; from: ContactFields } {
  if (merge.undone_at !== null) refuseUndo("already_undone", "it was undone already");
  if (now.getTime() - merge.created_at.getTime() > KEEP_DELETED_MS) refuseUndo("too_old", "it is more than 30 days old");
  if (merge.into_before === null || merge.from_before === null) refuseUndo("erased", "one of its contacts was erased");
  if (into.deleted_at !== null) refuseUndo("contact_gone", "the contact was deleted or merged since");
  if (into.version !== merge.into_version || from.version !== merge.from_version)
    refuseUndo("contact_changed", "one of its contacts was changed since");
  return { into: merge.into_before, from: merge.from_before };
}

function refuseUndo(reason: string, cause: string): never {
  fail("merge_not_undoable", { detail: `The merge cannot be undone: ${cause}.`, meta: { reason } });
}
