import { changesBetween } from "../../../platform/record/audit.ts";
import type { Context } from "../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../platform/record/tx.ts";
import type { Account } from "../../accounts/custom-fields/index.ts";
import type { Identity } from "../records/index.ts";
import { hasNotes } from "../timeline/index.ts";
import { removeContact } from "./commands.ts";
import { insertImage, takeImageOrNull } from "./lead-merge.queries.ts";
import { imageOf } from "./merge/model.ts";
import { AUDITED, type Contact, PERSONAL } from "./model.ts";
import { contactsForUpdate, saveContact } from "./queries.ts";
import { type Settling, settleContact } from "./upsert.commands.ts";

/** What was done to have a contact, and the version that it had afterwards. */
export type LeadMerge = { contact: "made" | "filled" | "found"; contact_version: number };

/** The one contact with an identity, made or filled in a way that can be taken back. */
export async function mergeLeadInto(ctx: Context, tx: Tx, account: Account, identity: Identity, settling: Settling) {
  const { record, before } = await settleContact(ctx, tx, account, identity, settling);
  const merge: LeadMerge = { contact: wayOf(before, record), contact_version: record.version };
  if (before !== null && merge.contact === "filled") await insertImage(tx, ctx.scope, record.id, record.version, imageOf(before));
  return { contact: record, merge };
}

function wayOf(before: Contact | null, after: Contact): LeadMerge["contact"] {
  if (before === null) return "made";
  return before === after ? "found" : "filled";
}

/** What can stand against taking a filling back. */
export type Obstacle = "contact_gone" | "contact_changed" | "identity_taken";

/** Takes a filling back: a contact that was made goes, one that was filled is what it was. Otherwise what stands against it. */
export async function undoLeadMerge(ctx: Context, tx: Tx, id: string, merge: LeadMerge): Promise<Obstacle | null> {
  if (merge.contact === "found") return null;
  const [contact] = await contactsForUpdate(tx, ctx.scope, [id]);
  if (contact === undefined || contact.deleted_at !== null) return "contact_gone";
  if (contact.version !== merge.contact_version) return "contact_changed";
  if (merge.contact === "made") {
    if (await hasNotes(tx, ctx.scope, id)) return "contact_changed";
    await removeContact(ctx, tx, contact);
    return null;
  }
  const before = await takeImageOrNull(tx, ctx.scope, id, contact.version);
  if (before === null) return "contact_changed";
  const restored = await saveContact(tx, ctx.scope, { ...contact, ...before });
  if (restored === null) return "identity_taken";
  const changes = changesBetween(contact, restored, AUDITED, PERSONAL);
  recordChange(tx, ctx.scope, { resource: "contact", change: "restored", ...restored }, { action: "contacts.restore", changes });
  return null;
}
