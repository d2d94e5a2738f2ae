import { notFound } from "../../../kernel/errors.ts";
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
import { attribute, clickedLink } from "../../money/links/index.ts";
import { canonicalPhone } from "../contacts/index.ts";
import { type Identity, refuseDuplicate } from "../records/index.ts";
import type { Timelined } from "../timeline/index.ts";
import { checkIdentified, FIELDS, type Lead, type LeadFields, PERSONAL, type Source, statusAfter, statusOfNew } from "./model.ts";
import { insertLead, leadOrNull, leadsForUpdate, leadsLike, saveLead } from "./queries.ts";
import type { LeadCreate, LeadPatch } from "./schema.ts";
import { scoreForWrite } from "./scoring/commands.ts";

export function createLead(ctx: Context, input: LeadCreate): Promise<Lead> {
  return ctx.txAtOnce(async (tx) => {
    const account = await accountForNew(ctx, tx, "lead", input.account_id);
    return (await addLead(ctx, tx, account, input)) ?? refuseTaken(ctx, tx, account.id, identityOf(input));
  });
}

/** Adds a lead to an active account; null when its phone, e-mail or external id is already in use. */
export async function addLead(ctx: Context, tx: Tx, account: Account, input: LeadCreate): Promise<Lead | null> {
  const lead = fieldsOfNew(account, input);
  checkIdentified(lead);
  await refuseUnknownOwner(ctx, tx, account.id, lead.owner_id);
  const score = await scoreForWrite(ctx, tx, account.id, {
    ...lead,
    activity_count: 0,
    created_at: tx.now,
    last_activity_at: tx.now,
  });
  const clicked = account.house ? await clickedLink(ctx, tx, lead.source.click_id) : null;
  const made = await insertLead(tx, ctx.scope, account.id, { ...lead, score, affiliate_link_id: clicked?.link_id ?? null });
  if (made === null) return null;
  if (clicked !== null) await attribute(ctx, tx, "lead", made.id, clicked);
  const changes = changesBetween<Partial<Lead>>({ tags: [], custom: {} }, made, FIELDS, PERSONAL);
  const detail = { from_status: null, to_status: made.status };
  recordChange(tx, ctx.scope, { resource: "lead", change: "created", ...made, detail }, { action: "leads.create", changes });
  return made;
}

/** The fields of a new lead with their defaults. */
export function fieldsOfNew(account: Account, input: LeadCreate): LeadFields {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, input[field as keyof LeadCreate] ?? null])) as LeadFields;
  return {
    ...fields,
    ...identityOf(input),
    ...statusOfNew(input),
    source: sourceOf(input.source),
    tags: input.tags ?? [],
    custom: patchCustomValues(account.fields, null, input.custom),
  };
}

export async function getLead(ctx: Context, id: string): Promise<Lead> {
  return (await leadOrNull(ctx.db.byKey, ctx.scope, id)) ?? notFound(id);
}

export function updateLead(ctx: Context, id: string, patch: LeadPatch): Promise<Lead> {
  return ctx.tx(async (tx) => {
    const before = await lockLead(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "lead", before.account_id);
    return changeLead(ctx, tx, account, before, patch);
  });
}

/** Changes a locked lead; the same object when there is nothing to change. */
export async function changeLead(ctx: Context, tx: Tx, account: Account, before: Lead, patch: LeadPatch): Promise<Lead> {
  const { status, reason, phone, custom, source, ...fields } = patch;
  const after: Lead = {
    ...before,
    ...fields,
    ...statusAfter(before, { status, reason }),
    phone: phone === undefined ? before.phone : phoneOf(phone),
    custom: patchCustomValues(account.fields, before.custom, custom),
    source: source === undefined ? before.source : sourceOf(source),
  };
  checkIdentified(after);
  if (after.owner_id !== before.owner_id) await refuseUnknownOwner(ctx, tx, account.id, after.owner_id);
  const changes = changesBetween(before, after, FIELDS, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  const moved = after.status !== before.status;
  const attributed = { ...after, affiliate_link_id: await linkAfter(ctx, tx, account, before, after) };
  const saved = await saveScored(ctx, tx, moved ? withActivity(attributed, tx.now) : attributed);
  if (saved === null) return refuseTaken(ctx, tx, account.id, after, before.id);
  const detail = moved ? { detail: { from_status: before.status, to_status: saved.status } } : {};
  recordChange(tx, ctx.scope, { resource: "lead", change: "updated", ...saved, ...detail }, { action: "leads.update", changes });
  return saved;
}

/** The link of a lead after a change of its source: that of the last click, until the lead is converted. */
async function linkAfter(ctx: Context, tx: Tx, account: Account, before: Lead, after: Lead): Promise<string | null> {
  const { click_id } = after.source;
  if (!account.house || before.converted_at !== null || click_id === before.source.click_id) return before.affiliate_link_id;
  const clicked = await clickedLink(ctx, tx, click_id);
  if (clicked === null || !(await attribute(ctx, tx, "lead", before.id, clicked))) return before.affiliate_link_id;
  return clicked.link_id;
}

/** Saves a lead with its current score; null when its phone, e-mail or external id is already in use. */
export async function saveScored(ctx: Context, tx: Tx, lead: Lead): Promise<Lead | null> {
  return saveLead(tx, ctx.scope, { ...lead, score: await scoreForWrite(ctx, tx, lead.account_id, lead) });
}

/** Soft-deletes a lead: lists leave it out, it cannot be read, and a job erases it later. */
export function deleteLead(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const lead = await lockLead(ctx, tx, id);
    await accountForChange(ctx, tx, "lead", lead.account_id);
    await removeLead(ctx, tx, lead);
  });
}

/** Deletes a locked lead. */
export async function removeLead(ctx: Context, tx: Tx, lead: Lead): Promise<void> {
  const deleted = (await saveLead(tx, ctx.scope, { ...lead, deleted_at: tx.now })) ?? lead;
  recordChange(tx, ctx.scope, { resource: "lead", change: "deleted", ...deleted }, { action: "leads.delete" });
}

/** A lead that the caller may change, at the expected version, locked until the transaction ends. */
export async function lockLead(ctx: Context, tx: Tx, id: string): Promise<Lead> {
  const lead = await lockLive(ctx, tx, id);
  requireVersion(ctx, lead);
  return lead;
}

/** The same at any version. */
export async function lockLive(ctx: Context, tx: Tx, id: string): Promise<Lead> {
  const [lead] = await leadsForUpdate(tx, ctx.scope, [id]);
  return lead === undefined || lead.deleted_at !== null ? notFound(id) : lead;
}

const timelinedOf = ({ id, account_id, version }: Lead) => ({ id, account_id, version, record_ids: [id] });

export const leadTimeline: Timelined = {
  name: "leads",
  people: true,
  find: async (ctx, id) => timelinedOf(await getLead(ctx, id)),
  async lock(ctx, tx, id) {
    const lead = await lockLive(ctx, tx, id);
    await accountForChange(ctx, tx, "lead", lead.account_id);
    return timelinedOf(lead);
  },
  /** A note counts as activity. Its audit entry is its own; the change feed shows the lead. */
  async onNote(ctx, tx, id) {
    const saved = await saveScored(ctx, tx, withActivity(await lockLive(ctx, tx, id), tx.now));
    if (saved !== null) recordChange(tx, ctx.scope, { resource: "lead", change: "updated", ...saved }, null);
  },
};

const withActivity = (lead: Lead, now: Date): Lead => ({
  ...lead,
  activity_count: lead.activity_count + 1,
  last_activity_at: now,
});

export function identityOf({ phone = null, email = null, external_id = null }: LeadCreate): Identity {
  return { phone: phoneOf(phone), email, external_id };
}

const phoneOf = (phone: string | null) => (phone === null ? null : canonicalPhone(phone));

/** A source without its null members. */
function sourceOf({ kind = "api", utm = {}, ...texts }: NonNullable<LeadCreate["source"]> = {}): Source {
  const known = <T extends object>(object: T) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
  return { kind, ...known(texts), utm: known(utm) };
}

/** Refuses a phone, e-mail or external id that is already in use, and names the lead that has it. */
export async function refuseTaken(ctx: Context, tx: Tx, account_id: string, identity: Identity, own_id?: string): Promise<never> {
  return refuseDuplicate("lead", "duplicate_lead", await leadsLike(tx, ctx.scope, account_id, identity), own_id);
}
