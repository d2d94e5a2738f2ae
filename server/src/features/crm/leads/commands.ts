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
import { canonicalPhone } from "../contacts/index.ts";
import { type Identity, refuseDuplicate } from "../records/index.ts";
import type { Timelined } from "../timeline/index.ts";
import {
  AUDITED,
  type Lead,
  type LeadFields,
  PERSONAL,
  refuseNameless,
  type Source,
  standingAfter,
  standingOfNew,
} from "./model.ts";
import { insertLead, leadOrNull, leadsForUpdate, leadsLike, saveLead } from "./queries.ts";
import type { LeadCreate, LeadPatch } from "./schema.ts";
import { scoreForWrite } from "./scoring/commands.ts";

export function createLead(ctx: Context, input: LeadCreate): Promise<Lead> {
  return ctx.tx(async (tx) => {
    const account = await accountForNew(ctx, tx, "lead", input.account_id);
    return (await addLead(ctx, tx, account, input)) ?? refuseTaken(ctx, tx, account.id, identityOf(input));
  });
}

/** Adds a lead to an account that takes changes; null when the account has such a one. */
export async function addLead(ctx: Context, tx: Tx, account: Account, input: LeadCreate): Promise<Lead | null> {
  const { name = null, company = null, title = null, country = null, tags = [], notes = null, owner_id = null } = input;
  const custom = patchCustomValues(account.fields, null, input.custom);
  const source = sourceOf(input.source);
  const person = { ...identityOf(input), name, company, title, country, tags, notes, custom, owner_id, source };
  const lead: LeadFields = { ...person, ...standingOfNew(input) };
  refuseNameless(lead);
  await refuseUnknownOwner(ctx, tx, account.id, owner_id);
  const score = await scoreForWrite(ctx, tx, account.id, {
    ...lead,
    activity_count: 0,
    created_at: tx.now,
    last_activity_at: tx.now,
  });
  const made = await insertLead(tx, ctx.scope, account.id, { ...lead, score });
  if (made === null) return null;
  const changes = changesBetween<Partial<Lead>>({ tags: [], custom: {} }, made, AUDITED, PERSONAL);
  const detail = { from_status: null, to_status: made.status };
  recordChange(tx, ctx.scope, { resource: "lead", change: "created", ...made, detail }, { action: "leads.create", changes });
  return made;
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

/** Changes a lead that was locked before; the same object when there is nothing to change. */
export async function changeLead(ctx: Context, tx: Tx, account: Account, before: Lead, patch: LeadPatch): Promise<Lead> {
  const { status, reason, phone: given, custom: values, source, ...fields } = patch;
  const after: Lead = {
    ...before,
    ...fields,
    ...standingAfter(before, { status, reason }),
    phone: given === undefined ? before.phone : phoneOf(given),
    custom: patchCustomValues(account.fields, before.custom, values),
    source: source === undefined ? before.source : sourceOf(source),
  };
  refuseNameless(after);
  if (after.owner_id !== before.owner_id) await refuseUnknownOwner(ctx, tx, account.id, after.owner_id);
  const changes = changesBetween(before, after, AUDITED, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  const moved = after.status !== before.status;
  const saved = await saveScored(ctx, tx, moved ? withActivity(after, tx.now) : after);
  if (saved === null) return refuseTaken(ctx, tx, account.id, after, before.id);
  const told = moved ? { detail: { from_status: before.status, to_status: saved.status } } : {};
  recordChange(tx, ctx.scope, { resource: "lead", change: "updated", ...saved, ...told }, { action: "leads.update", changes });
  return saved;
}

/** Saves a lead with the score that it has now; null when its phone, e-mail or external id is another's. */
export async function saveScored(ctx: Context, tx: Tx, lead: Lead): Promise<Lead | null> {
  return saveLead(tx, ctx.scope, { ...lead, score: await scoreForWrite(ctx, tx, lead.account_id, lead) });
}

/** Takes a lead away: it is gone from every list and cannot be read, and is erased for good after a while. */
export function deleteLead(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const lead = await lockLead(ctx, tx, id);
    await accountForChange(ctx, tx, "lead", lead.account_id);
    await removeLead(ctx, tx, lead);
  });
}

/** Deletes a lead that was locked before. */
export async function removeLead(ctx: Context, tx: Tx, lead: Lead): Promise<void> {
  const gone = (await saveLead(tx, ctx.scope, { ...lead, deleted_at: tx.now })) ?? lead;
  recordChange(tx, ctx.scope, { resource: "lead", change: "deleted", ...gone }, { action: "leads.delete" });
}

/** A lead that is there and that the caller may change, locked until the transaction ends. */
export async function lockLead(ctx: Context, tx: Tx, id: string): Promise<Lead> {
  const lead = await lockLive(ctx, tx, id);
  requireVersion(ctx, lead);
  return lead;
}

export async function lockLive(ctx: Context, tx: Tx, id: string): Promise<Lead> {
  const [lead] = await leadsForUpdate(tx, ctx.scope, [id]);
  return lead === undefined || lead.deleted_at !== null ? notFound(id) : lead;
}

const notedOf = ({ id, account_id, version }: Lead) => ({ id, account_id, version, record_ids: [id] });

export const leadTimeline: Timelined = {
  name: "leads",
  find: async (ctx, id) => notedOf(await getLead(ctx, id)),
  async lock(ctx, tx, id) {
    const lead = await lockLive(ctx, tx, id);
    await accountForChange(ctx, tx, "lead", lead.account_id);
    return notedOf(lead);
  },
  /** The note's own entry is in the log; who follows the leads is told that this one has been active. */
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

/** A source without what is not known. */
function sourceOf({ kind = "api", utm = {}, ...texts }: NonNullable<LeadCreate["source"]> = {}): Source {
  const known = <T extends object>(object: T) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
  return { kind, ...known(texts), utm: known(utm) };
}

/** Says whose the phone, the e-mail or the external id is. */
export async function refuseTaken(ctx: Context, tx: Tx, account_id: string, identity: Identity, own_id?: string): Promise<never> {
  return refuseDuplicate("lead", "duplicate_lead", await leadsLike(tx, ctx.scope, account_id, identity), own_id);
}
