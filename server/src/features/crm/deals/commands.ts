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
import { pipelineFor } from "../../accounts/pipelines/index.ts";
import type { Timelined } from "../timeline/index.ts";
import { AUDITED, type Deal, type DealFields, PERSONAL, refuseChangeOfMoney, refuseField, refuseSaleFields } from "./model.ts";
import { dealOrNull, dealsForUpdate, dealWithExternalId, insertDeal, isClient, isContact, saveDeal } from "./queries.ts";
import { amendSale, releaseSale } from "./registration/commands.ts";
import { openSale, saleOf } from "./sale.commands.ts";
import type { DealCreate, DealPatch } from "./schema.ts";
import { checkStageRules, requestedStage, standingIn } from "./stage/model.ts";
import { enterStage } from "./stage/queries.ts";

export function createDeal(ctx: Context, input: DealCreate): Promise<Deal> {
  return ctx.tx(async (tx) => addDeal(ctx, tx, await accountForNew(ctx, tx, "deal", input.account_id), input));
}

/** Adds a deal to an account that takes changes, in the stage asked for or the first of the default pipeline. */
export async function addDeal(
  ctx: Context,
  tx: Tx,
  account: Account,
  input: DealCreate,
  lead_id: string | null = null,
): Promise<Deal> {
  const fields = fieldsOfNew(account, input);
  await checkReferences(ctx, tx, account, null, fields);
  const pipeline = await pipelineFor(ctx, tx, account.id, input.pipeline_id ?? null);
  const stage = requestedStage(pipeline, input) ?? pipeline.stages.find(({ type }) => type === "open");
  if (stage === undefined) throw new Error(`the pipeline ${pipeline.id} has no open stage`);
  const sale = account.house;
  const standing = standingIn(pipeline, stage, input.lost_reason ?? null, tx.now, null);
  checkStageRules(pipeline, null, stage, { ...fields, ...standing, sale }, account);
  const added =
    (await insertDeal(tx, ctx.scope, { ...fields, ...standing, account_id: account.id, sale, lead_id })) ??
    (await refuseDuplicate(ctx, tx, account.id, fields.external_id));
  await enterStage(tx, ctx.scope, added, actorOf(ctx.principal).id, null);
  const deal = sale ? await openSale(ctx, tx, added) : added;
  const changes = changesBetween<Partial<Deal>>({ tags: [], custom: {} }, deal, AUDITED, PERSONAL);
  const detail = { pipeline_id: deal.pipeline_id, to_stage_id: deal.stage_id, to_stage: deal.stage, stage_type: deal.status };
  recordChange(tx, ctx.scope, { resource: "deal", change: "created", ...deal, detail }, { action: "deals.create", changes });
  return deal;
}

/** A deal has the name of its company unless it is told, and a sale is of a company. */
function fieldsOfNew(account: Account, input: DealCreate): DealFields {
  const company = input.company ?? (account.house ? (input.name ?? null) : null);
  return {
    name: input.name ?? company ?? refuseField("name", "name_or_company", "name is required, or company."),
    amount_cents: input.amount_cents ?? null,
    currency: input.currency ?? account.currency,
    expected_close_on: input.expected_close_on ?? null,
    contact_id: input.contact_id ?? null,
    owner_id: input.owner_id ?? null,
    tags: input.tags ?? [],
    notes: input.notes ?? null,
    custom: patchCustomValues(account.fields, null, input.custom),
    external_id: input.external_id ?? null,
    company,
    company_domain: input.company_domain ?? null,
    contact: input.contact ?? null,
    plan: input.plan ?? null,
    mrr_cents: input.mrr_cents ?? null,
    client_id: input.client_id ?? null,
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

/** Changes a deal that was locked before; the same object when there is nothing to change. Its stage is changed by a move alone. */
export async function changeDeal(ctx: Context, tx: Tx, account: Account, before: Deal, patch: DealPatch): Promise<Deal> {
  const after: Deal = { ...before, ...patch, custom: patchCustomValues(account.fields, before.custom, patch.custom) };
  const changes = changesBetween(before, after, AUDITED, PERSONAL);
  if (Object.keys(changes).length === 0) return before;
  refuseChangeOfMoney(before, after);
  await checkReferences(ctx, tx, account, before, after);
  if (before.sale) await amendSale(ctx, tx, saleOf(before), saleOf(after));
  const saved = (await saveDeal(tx, ctx.scope, after)) ?? (await refuseDuplicate(ctx, tx, account.id, after.external_id));
  recordChange(tx, ctx.scope, { resource: "deal", change: "updated", ...saved }, { action: "deals.update", changes });
  return saved;
}

/** Refuses what is not there, or not of this account: only what is new is looked at. */
async function checkReferences(ctx: Context, tx: Tx, account: Account, before: Deal | null, after: DealFields): Promise<void> {
  const { contact_id, client_id, owner_id, company } = after;
  refuseSaleFields(account, after);
  if (account.house && company === null) refuseField("company", "required_by_sale", "A sale is of a company.");
  if (owner_id !== before?.owner_id) await refuseUnknownOwner(ctx, tx, account.id, owner_id);
  if (contact_id !== null && contact_id !== before?.contact_id && !(await isContact(tx, ctx.scope, account.id, contact_id)))
    refuseField("contact_id", "unknown_contact", `There is no ${contact_id} in this account.`);
  if (client_id !== null && client_id !== before?.client_id && !(await isClient(tx, ctx.scope, client_id)))
    refuseField("client_id", "unknown_client", `There is no ${client_id} here that could be sold to.`);
}

export function deleteDeal(ctx: Context, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const deal = await lockDeal(ctx, tx, id);
    await accountForChange(ctx, tx, "deal", deal.account_id);
    await removeDeal(ctx, tx, deal);
  });
}

/** Deletes a deal that was locked before: it is gone from every list and cannot be read. */
export async function removeDeal(ctx: Context, tx: Tx, deal: Deal): Promise<void> {
  if (deal.status === "won") fail("deal_won", { detail: "A won deal cannot be deleted." });
  if (deal.sale) await releaseSale(ctx, tx, deal.id);
  const gone = (await saveDeal(tx, ctx.scope, { ...deal, deleted_at: tx.now })) ?? deal;
  recordChange(tx, ctx.scope, { resource: "deal", change: "deleted", ...gone }, { action: "deals.delete" });
}

/** A deal that is there and that the caller may change, locked until the transaction ends. */
export async function lockDeal(ctx: Context, tx: Tx, id: string): Promise<Deal> {
  const deal = await heldDeal(ctx, tx, id);
  requireVersion(ctx, deal);
  return deal;
}

async function heldDeal(ctx: Context, tx: Tx, id: string): Promise<Deal> {
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
    const { account_id, version } = await heldDeal(ctx, tx, id);
    await accountForChange(ctx, tx, "deal", account_id);
    return { id, account_id, version, record_ids: [id] };
  },
};

async function refuseDuplicate(ctx: Context, tx: Tx, account_id: string, external_id: string | null): Promise<never> {
  const existing_id = await dealWithExternalId(tx, ctx.scope, account_id, external_id);
  fail("duplicate_deal", { detail: `Another deal of the account has the external_id ${external_id}.`, meta: { existing_id } });
}
