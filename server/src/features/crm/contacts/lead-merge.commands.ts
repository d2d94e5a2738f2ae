import { changesBetween } from "../../../platform/record/audit.ts";
import type { Context } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import { type Identity, keepImages, takeImagesOf } from "../records/index.ts";
import { hasNotes } from "../timeline/index.ts";
import { removeContact } from "./commands.ts";
import { type Contact, FIELDS, imageOf, PERSONAL } from "./model.ts";
import { contactsForUpdate, saveContact } from "./queries.ts";
import { type UpsertInput, upsertByIdentity } from "./upsert.commands.ts";

/** How a lead was merged: its contact was created, changed or left as it was; and the version of the contact afterwards. */
export type LeadMerge = { contact: "made" | "filled" | "found"; contact_version: number };

/** Merges a lead into the contact with its identity, or creates that contact. The image for an undo has the lead as its source. */
export async function mergeLeadInto(
  ctx: Context,
  tx: Tx,
  account: Account,
  lead: { id: string; identity: Identity },
  input: UpsertInput,
) {
  const { record, before } = await upsertByIdentity(ctx, tx, account, lead.identity, input);
  const merge: LeadMerge = { contact: outcomeOf(before, record), contact_version: record.version };
  if (before !== null && merge.contact === "filled") {
    const image = { record_id: record.id, version: record.version, before: imageOf(before) };
    await keepImages(tx, ctx.scope.partner_id, lead.id, [image]);
  }
  return { contact: record, merge };
}

function outcomeOf(before: Contact | null, after: Contact): LeadMerge["contact"] {
  if (before === null) return "made";
  return before === after ? "found" : "filled";
}

/** Why a merge cannot be undone. */
export type Obstacle = "contact_gone" | "contact_changed" | "identity_taken";

/** Undoes the merge of a lead: a contact that it created is deleted, one that it changed is restored. Otherwise returns the obstacle. */
export async function undoLeadMerge(
  ctx: Context,
  tx: Tx,
  lead_id: string,
  id: string,
  merge: LeadMerge,
): Promise<Obstacle | null> {
  if (merge.contact === "found") return null;
  const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
  if (contact === undefined || contact.deleted_at !== null) return "contact_gone";
  if (contact.version !== merge.contact_version) return "contact_changed";
  if (merge.contact === "made") {
    if (await hasNotes(tx, ctx.scope, id)) return "contact_changed";
    await removeContact(ctx, tx, contact);
    return null;
  }
  const [image] = await takeImagesOf(tx, ctx.scope.partner_id, lead_id, [id]);
  if (image?.version !== contact.version) return "contact_changed";
  const restored = await saveContact(tx, ctx.scope, { ...contact, ...image.before });
  if (restored === null) return "identity_taken";
  const changes = changesBetween(contact, restored, FIELDS, PERSONAL);
  recordChange(tx, ctx.scope, { resource: "contact", change: "restored", ...restored }, { action: "contacts.restore", changes });
  return null;
}
