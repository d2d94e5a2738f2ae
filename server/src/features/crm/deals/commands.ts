import { fail, notFound } from "../../../kernel/errors.ts";
import { actorOf } from "../../../kernel/principal.ts";
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
import { type Pipeline, pipelineFor } from "../../accounts/pipelines/index.ts";
import { requirePlan } from "../../accounts/plans/index.ts";
import { attribute, clickedLink, copyAttribution } from "../../money/links/index.ts";
import type { Timelined } from "../timeline/index.ts";
import { releaseClaims } from "./claims/queries.ts";
import {
  AUDITED,
  checkLockedFields,
  checkSale,
  checkSaleFields,
  type Deal,
  type DealFields,
  FIELDS,
  isSale,
  PERSONAL,
  refuseField,
} from "./model.ts";
import { dealOrNull, dealsForUpdate, dealWithExternalId, insertDeal, isClient, isContact, saveDeal } from "./queries.ts";
import { resubmit, updateClaims } from "./registration/commands.ts";
import { openSale } from "./sale.commands.ts";
import type { DealCreate, DealPatch } from "./schema.ts";
import { checkStageRules, requestedStage, stageStateIn } from "./stage/model.ts";
import { enterStage } from "./stage/queries.ts";

export function createDeal(ctx: Context, input: DealCreate): Promise<Deal> {
  return ctx.tx(async (tx) => addDeal(ctx, tx, await accountForNew(ctx, tx, "deal", input.account_id), input));
}

/** The lead that a deal is made of: it came by the same link. */
export type LeadOfDeal = { id: string; affiliate_link_id: string | null };

/** Adds a deal to an active account, in the requested stage or the first of the default pipeline. */
export async function addDeal(
  ctx: Context,
  tx: Tx,
  account: Account,
  input: DealCreate,
  lead: LeadOfDeal | null = null,
): Promise<Deal> {
  const fields = { ...fieldsOfNew(account, input), ...(await spelledPlan(tx, null, input)) };
  await checkReferences(ctx, tx, account, null, fields);
  const pipeline = await pipelineFor(ctx, tx, account.id, input.pipeline_id ?? null);
  const sale = isSale(account, fields);
  const { state } = firstStage(account, pipeline, input, fields, tx.now);
  const clicked = lead === null && account.house ? await clickedLink(ctx, tx, input.click_id) : null;
  const affiliate_link_id = lead?.affiliate_link_id ?? clicked?.link_id ?? null;
  const origin = { account_id: account.id, lead_id: lead?.id ?? null, affiliate_link_id };
  const inserted =
    (await insertDeal(tx, ctx.scope, { ...fields, ...state, ...origin, sale })) ??
    (await refuseDuplicate(ctx, tx, account.id, fields.external_id));
  if (clicked !== null) await attribute(ctx, tx, "deal", inserted.id, clicked);
  else if (lead !== null && affiliate_link_id !== null) await copyAttribution(tx, ctx.scope, lead.id, inserted.id);
  await enterStage(tx, ctx.scope, inserted, actorOf(ctx.principal).id, null);
  const deal = sale ? await openSale(ctx, tx, inserted) : inserted;
  const changes = changesBetween<Partial<Deal>>({ tags: [], custom: {} }, deal, AUDITED, PERSONAL);
  const detail = { pipeline_id: deal.pipeline_id, to_stage_id: deal.stage_id, to_stage: deal.stage, stage_type: deal.status };
  recordChange(tx, ctx.scope, { resource: "deal", change: "created", ...deal, detail }, { action: "deals.create", changes });
  return deal;
}

/** The stage that a new deal enters, if its rules allow that, and its state in it. */
export function firstStage(account: Account, pipeline: Pipeline, input: DealCreate, fields: DealFields, now: Date) {
  const stage = requestedStage(pipeline, input) ?? pipeline.stages.find(({ type }) => type === "open");
  if (stage === undefined) throw new Error(`the pipeline ${pipeline.id} has no open stage`);
  const state = stageStateIn(pipeline, stage, input.lost_reason ?? null, now, null);
  checkStageRules(pipeline, null, stage, { ...fields, ...state, sale: isSale(account, fields) }, account);
  return { stage, state };
}

/** The fields of a new deal with their defaults. A deal is named after its company by default. */
export function fieldsOfNew(account: Account, input: DealCreate): DealFields {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, input[field] ?? null])) as DealFields;
  return {
    ...fields,
    name: input.name ?? fields.company ?? refuseField("name", "name_or_company", "name is required, or company."),
    currency: input.currency ?? account.currency,
    tags: input.tags ?? [],
    custom: patchCustomValues(account.fields, null, input.custom),
  };
}

export async function getDeal(ctx: Context, id: string): Promise<Deal> {
  return (await dealOrNull(ctx.db.byKey, ctx.scope, id, ctx.clock.now())) ?? notFound(id);
}

export function updateDeal(ctx: Context, id: string, patch: DealPatch): Promise<Deal> {
  return ctx.tx(async (tx) => {
    const before = await lockDeal(ctx, tx, id);
    const account = await accountForChange(ctx, tx, "deal", before.account_id);
    return changeDeal(ctx, tx, account, before, patch);
  });
}

/** Changes a locked deal; the same object when there is nothing to change. Its stage is changed only by a move. */
export async function changeDeal(ctx: Context, tx: Tx, account: Account, before: Deal, patch: DealPatch): Promise<Deal> {
  const custom = patchCustomValues(account.fields, before.custom, patch.custom);
  const after: Deal = { ...before, ...patch, ...(await spelledPlan(tx, before, patch)), custom };
  const changes = changesBetween(before, after, AUDITED, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  checkLockedFields(before, after);
  await checkReferences(ctx, tx, account, before, after);
  const next = { ...after, registration: resubmit(before, tx.now) };
  const saved = (await saveDeal(tx, ctx.scope, before, next)) ?? (await refuseDuplicate(ctx, tx, account.id, after.external_id));
  await updateClaims(ctx, tx, before, saved);
  recordChange(tx, ctx.scope, { resource: "deal", change: "updated", ...saved }, { action: "deals.update", changes });
  return saved;
}

/** A new or changed plan as the catalogue spells it, or a refusal. One that stays is not checked: it may have been archived since. */
async function spelledPlan(tx: Tx, before: Deal | null, { plan }: Pick<DealPatch, "plan">): Promise<{ plan?: string }> {
  return plan == null || plan === before?.plan ? {} : { plan: await requirePlan(tx, plan) };
}

/** Refuses references that do not exist in the account. Only changed ones are checked. */
async function checkReferences(ctx: Context, tx: Tx, account: Account, before: Deal | null, after: DealFields): Promise<void> {
  const { contact_id, client_id, owner_id } = after;
  checkSaleFields(account, after);
  if (before?.sale === true) checkSale(after, before);
  if (owner_id !== before?.owner_id) await refuseUnknownOwner(ctx, tx, account.id, owner_id);
  if (contact_id !== null && contact_id !== before?.contact_id && !(await isContact(tx, ctx.scope, account.id, contact_id)))
    refuseUnknownContact(contact_id);
  if (client_id !== null && client_id !== before?.client_id && !(await isClient(tx, ctx.scope, client_id)))
    refuseField("client_id", "unknown_client", `The client ${client_id} was not found.`);
}

export function refuseUnknownContact(id: string): never {
  refuseField("contact_id", "unknown_contact", `The contact ${id} was not found in this account.`);
}

export function deleteDeal(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const deal = await lockDeal(ctx, tx, id);
    await accountForChange(ctx, tx, "deal", deal.account_id);
    await removeDeal(ctx, tx, deal);
  });
}

/** Deletes a locked deal: lists leave it out and it cannot be read. */
export async function removeDeal(ctx: Context, tx: Tx, deal: Deal): Promise<void> {
  if (deal.status === "won") fail("deal_won", { detail: "A won deal cannot be deleted." });
  if (deal.registration !== null) await releaseClaims(tx, ctx.scope, deal.id);
  const deleted = (await saveDeal(tx, ctx.scope, deal, { ...deal, deleted_at: tx.now })) ?? deal;
  recordChange(tx, ctx.scope, { resource: "deal", change: "deleted", ...deleted }, { action: "deals.delete" });
}

/** A deal that the caller may change, at the expected version, locked until the transaction ends. */
export async function lockDeal(ctx: Context, tx: Tx, id: string): Promise<Deal> {
  const deal = await lockExisting(ctx, tx, id);
  requireVersion(ctx, deal);
  return deal;
}

async function lockExisting(ctx: Context, tx: Tx, id: string): Promise<Deal> {
  const [deal] = await dealsForUpdate(tx, ctx.scope, [id]);
  return deal === undefined || deal.deleted_at !== null ? notFound(id) : deal;
}

export const dealTimeline: Timelined = {
  name: "deals",
  async find(ctx, id) {
    const { account_id, version } = await getDeal(ctx, id);
    return { id, account_id, version, record_ids: [id] };
  },
  async lock(ctx, tx, id) {
    const { account_id, version } = await lockExisting(ctx, tx, id);
    await accountForChange(ctx, tx, "deal", account_id);
    return { id, account_id, version, record_ids: [id] };
  },
};

async function refuseDuplicate(ctx: Context, tx: Tx, account_id: string, external_id: string | null): Promise<never> {
  const existing_id = await dealWithExternalId(tx, ctx.scope, account_id, external_id);
  fail("duplicate_deal", {
    detail: `The external_id ${external_id} is already in use by another deal of the account.`,
    meta: { existing_id },
  });
}
