import { fail, within } from "../../../../kernel/errors.ts";
import { actorOf, hasScope } from "../../../../kernel/principal.ts";
import type { Scope } from "../../../../kernel/scopes.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { accountForChange, inheritedOwner } from "../../../accounts/custom-fields/index.ts";
import { type ContactRow, contactOrNull, contactsForUpdate, mergeLeadInto, undoLeadMerge } from "../../contacts/index.ts";
import { addDeal, dealOrNull, lockDeal, removeDeal } from "../../deals/index.ts";
import { hasNotes } from "../../timeline/index.ts";
import { lockLead, lockLive, saveScored } from "../commands.ts";
import { CONVERTIBLE, type Conversion, type Lead, refuseTransition } from "../model.ts";
import { saveLead } from "../queries.ts";
import { additionTo, contactFrom, contactIdentity, dealFrom, UNDO_MS } from "./model.ts";
import { isReferredTo } from "./queries.ts";
import type { ConvertRequest } from "./schema.ts";

/** Converts a lead to a new contact, or merges it into an existing one. Repeating it returns the first result. */
export function convertLead(ctx: Context, id: string, { contact: given = {}, deal: wanted }: ConvertRequest = {}) {
  requireScope(ctx, "contacts:write");
  if (wanted !== undefined) requireScope(ctx, "deals:write");
  return ctx.tx(async (tx) => {
    const lead = await lockLive(ctx, tx, id);
    if (lead.status === "converted") return shown(ctx, tx, lead);
    requireVersion(ctx, lead);
    if (!CONVERTIBLE.includes(lead.status)) refuseTransition(lead.status, "converted");
    const account = await accountForChange(ctx, tx, "contact", lead.account_id);
    const template = { ...lead, owner_id: await inheritedOwner(ctx, tx, lead) };
    const { contact, merge } = await within("contact", async () =>
      mergeLeadInto(
        ctx,
        tx,
        account,
        { id, identity: contactIdentity(lead, given) },
        {
          create: () => contactFrom(template, given),
          patch: (found) => additionTo(found, template, given),
        },
      ),
    );
    const deal = wanted === undefined ? null : await within("deal", () => addDealOf(ctx, tx, template, contact, wanted));
    const converted = await saveLead(tx, ctx.scope, {
      ...lead,
      status: "converted",
      converted_at: tx.now,
      converted_by: actorOf(ctx.principal).id,
      contact_id: contact.id,
      deal_id: deal?.id ?? null,
      conversion: { ...merge, status: lead.status, deal_version: deal?.version ?? null },
    });
    if (converted === null) throw new Error("the lead was not converted");
    recordConversion(ctx, tx, "converted", lead, converted, { contact_id: contact.id, deal_id: converted.deal_id });
    return shown(ctx, tx, converted);
  });
}

/** A conversion requires the scopes of everything that it does: a key for leads only must not change contacts this way. */
function requireScope({ principal }: Context, scope: Scope): void {
  if (hasScope(principal, scope)) return;
  fail("insufficient_scope", { detail: `This conversion also requires the scope ${scope}.`, meta: { required_scope: scope } });
}

async function addDealOf(ctx: Context, tx: Tx, lead: Lead, contact: ContactRow, wanted: NonNullable<ConvertRequest["deal"]>) {
  const account = await accountForChange(ctx, tx, "deal", lead.account_id);
  return addDeal(ctx, tx, account, dealFrom(lead, contact, wanted), lead);
}

async function shown(ctx: Context, tx: Tx, lead: Lead) {
  const contact = lead.contact_id === null ? null : await contactOrNull(tx, ctx.scope, lead.contact_id);
  const hidden = !hasScope(ctx.principal, "deals:write");
  const deal = lead.deal_id === null || hidden ? null : await dealOrNull(tx, ctx.scope, lead.deal_id, tx.now);
  return { json: `{"lead":${lead.json},"contact":${contact?.json ?? "null"},"deal":${deal?.json ?? "null"}}` };
}

/** Undoes a conversion: restores the lead and the contact, and deletes the deal. Refused if any of them is in use or has changed. */
export function unconvertLead(ctx: Context, id: string): Promise<Lead> {
  requireScope(ctx, "contacts:write");
  return ctx.tx(async (tx) => {
    const lead = await lockLead(ctx, tx, id);
    const { conversion, contact_id } = conversionOf(lead, tx.now);
    await accountForChange(ctx, tx, "lead", lead.account_id);
    const { status, contact } = conversion;
    const undone = { converted_at: null, converted_by: null, contact_id: null, deal_id: null, conversion: null };
    const restored = (await saveScored(ctx, tx, { ...lead, ...undone, status })) ?? refuseUndo("identity_taken");
    if (lead.deal_id !== null) await removeDealOf(ctx, tx, lead.deal_id, conversion);
    // From here on nothing new refers to the contact.
    await contactsForUpdate(tx, ctx.scope, [contact_id]);
    if (contact === "made" && (await isContactUsed(ctx, tx, contact_id))) refuseUndo("contact_in_use");
    const reason = await undoLeadMerge(ctx, tx, id, contact_id, conversion);
    if (reason !== null) refuseUndo(reason);
    recordConversion(ctx, tx, "restored", lead, restored, {});
    return restored;
  });
}

async function isContactUsed(ctx: Context, tx: Tx, contact_id: string): Promise<boolean> {
  return (await isReferredTo(tx, ctx.scope, contact_id)) || ctx.hooks.contactInUse(tx, ctx.scope.partner_id, contact_id);
}

async function removeDealOf(ctx: Context, tx: Tx, id: string, { deal_version }: Conversion): Promise<void> {
  requireScope(ctx, "deals:write");
  if ((await dealOrNull(tx, ctx.scope, id, tx.now)) === null) refuseUndo("deal_gone");
  const deal = await lockDeal({ ...ctx, expected_version: null }, tx, id);
  if (deal.version !== deal_version || (await hasNotes(tx, ctx.scope, id))) refuseUndo("deal_changed");
  if (deal.status === "won") refuseUndo("deal_won");
  await removeDeal(ctx, tx, deal);
}

function conversionOf({ conversion, contact_id, converted_at }: Lead, now: Date): { conversion: Conversion; contact_id: string } {
  if (conversion === null || contact_id === null || converted_at === null) refuseUndo("not_converted");
  if (now.getTime() - converted_at.getTime() > UNDO_MS) refuseUndo("too_old");
  return { conversion, contact_id };
}

function recordConversion(
  ctx: Context,
  tx: Tx,
  change: "converted" | "restored",
  before: Lead,
  after: Lead,
  became: object,
): void {
  const moved = { from_status: before.status, to_status: after.status };
  const changes = {
    status: { from: before.status, to: after.status },
    contact_id: { from: before.contact_id, to: after.contact_id },
    ...(before.deal_id === after.deal_id ? {} : { deal_id: { from: before.deal_id, to: after.deal_id } }),
  };
  const action = change === "converted" ? "leads.convert" : "leads.unconvert";
  recordChange(tx, ctx.scope, { resource: "lead", change, ...after, detail: { ...moved, ...became } }, { action, changes });
}

const REASONS = {
  not_converted: "it is not converted",
  too_old: "it is more than 24 hours old",
  identity_taken: "the phone, e-mail or external id is now in use by another record",
  deal_changed: "the deal has changed since",
  deal_gone: "the deal was deleted since",
  deal_won: "the deal is won",
  contact_in_use: "a deal, a conversation or another lead refers to the contact",
  contact_changed: "the contact has changed since",
  contact_gone: "the contact was deleted or merged since",
};
type Reason = keyof typeof REASONS;

function refuseUndo(reason: Reason): never {
  fail("conversion_not_undoable", { detail: `The conversion cannot be undone: ${REASONS[reason]}.`, meta: { reason } });
}
