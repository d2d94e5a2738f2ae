import { notFound } from "../../../../kernel/errors.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { excludePartner } from "../../keys/index.ts";
import { programme } from "../../operators/index.ts";
import { allTiers, LOWEST_GRADE, requireGrade } from "../../tiers/index.ts";
import { grantOpenRequest } from "../access/queries.ts";
import { addPartner } from "../commands.ts";
import { accessAfter, recordGrade } from "../grades/commands.ts";
import { pinAfter } from "../grades/model.ts";
import { PARTNER_FIELDS, type Partner, refuseParent, validateParent } from "./model.ts";
import {
  levelsBelow,
  lockTree,
  partnerForUpdateOrNull,
  partnerOrNull,
  partnersPage,
  savePartner,
  savePartnerStatus,
  uplineOf,
} from "./queries.ts";
import type { PartnerCreate, PartnerListQuery, PartnerPatch } from "./schema.ts";

const AUDITED = [...PARTNER_FIELDS, "status", "suspension_reason"] as const;

/** Creates a partner with its house account, and invites its owner. */
export function registerPartner(ctx: Context, input: PartnerCreate): Promise<Partner> {
  return ctx.tx(async (tx) => {
    if (typeof input.parent_id === "string") await requireParent(tx, null, input.parent_id);
    return admitPartner(ctx, tx, input);
  });
}

/** Admits a partner whose place in the tree was checked. It begins with the lowest grade; a higher one is pinned. */
export async function admitPartner(ctx: Context, tx: Tx, input: PartnerCreate): Promise<Partner> {
  const { owner, parent_id = null, grade = LOWEST_GRADE, branding = {}, api_access = false, company } = input;
  const id = tx.newId("partner");
  await requireGrade(tx, grade);
  const currency = input.currency ?? (await programme(tx)).default_currency;
  await addPartner(
    ctx,
    tx,
    { id, parent_id, company, grade, pinned: grade !== LOWEST_GRADE, api_access, branding, currency },
    { ...owner, partner_id: id, role: "owner", password_hash: null },
  );
  const partner = (await partnerOrNull(tx, id)) ?? notFound(id);
  const changes = changesBetween<Partial<Partner>>({}, partner, AUDITED);
  record(tx, { partner_id: id }, [], { action: "partners.create", target: id, client_id: null, changes });
  return partner;
}

export async function getPartner(ctx: Context, id: string) {
  return (await partnerOrNull(ctx.db.byKey, id)) ?? notFound(id);
}

export function listPartners(ctx: Context, query: PartnerListQuery): Promise<{ json: string }> {
  return partnersPage(ctx.db, query);
}

/**
 * Changes a partner. A new grade is an event in its feed and pins the grade; API access closes its open request for access. A partner
 * without a pin is reviewed with the others, at night.
 */
export function updatePartner(ctx: Context, id: string, patch: PartnerPatch): Promise<Partner> {
  return ctx.tx(async (tx) => {
    if (typeof patch.parent_id === "string") await requireParent(tx, id, patch.parent_id);
    if (patch.grade !== undefined) await requireGrade(tx, patch.grade);
    const tiers = await allTiers(tx);
    const before = await lockPartner(ctx, tx, id);
    const after = { ...before, ...patch, ...pinAfter(before, patch) };
    if (after.pinned || after.grade !== before.grade) after.grace_until = null;
    after.api_access = patch.api_access ?? accessAfter(tiers, before, after.grade);
    const changes = changesBetween(before, after, AUDITED);
    if (Object.keys(changes).length === 0) return before;
    const saved = await savePartner(tx, after);
    if (saved.api_access && !before.api_access) await grantOpenRequest(ctx, tx, id);
    const events = saved.grade === before.grade ? [] : [await recordGrade(ctx, tx, tiers, before, saved, { reason: "manual" })];
    record(tx, { partner_id: id }, events, { action: "partners.update", target: id, client_id: null, changes });
    return saved;
  });
}

/** Suspends a partner. Once this has returned, its keys are refused everywhere and none of their writes commits. */
export function suspendPartner(ctx: Context, id: string, reason: string | null): Promise<Partner> {
  return ctx.tx(async (tx) => {
    await excludePartner(tx, id);
    return changeStatus(ctx, tx, id, "suspended", reason);
  });
}

export function reactivatePartner(ctx: Context, id: string): Promise<Partner> {
  return ctx.tx((tx) => changeStatus(ctx, tx, id, "active", null));
}

/** Changes the status of a partner. The current status changes nothing and emits nothing. */
async function changeStatus(
  ctx: Context,
  tx: Tx,
  id: string,
  status: Partner["status"],
  reason: string | null,
): Promise<Partner> {
  const before = await lockPartner(ctx, tx, id);
  if (before.status === status) return before;
  const saved = await savePartnerStatus(tx, id, status, reason);
  const action = status === "suspended" ? "partners.suspend" : "partners.reactivate";
  const changes = changesBetween(before, saved, AUDITED);
  record(tx, { partner_id: id }, [], { action, target: id, client_id: null, changes });
  return saved;
}

async function lockPartner(ctx: Context, tx: Tx, id: string): Promise<Partner> {
  const partner = (await partnerForUpdateOrNull(tx, id)) ?? notFound(id);
  requireVersion(ctx, partner);
  return partner;
}

async function requireParent(tx: Tx, id: string | null, parent_id: string): Promise<void> {
  await lockTree(tx);
  if ((await partnerOrNull(tx, parent_id)) === null) refuseParent("unknown_partner", `The partner ${parent_id} was not found.`);
  validateParent(id, parent_id, await uplineOf(tx, parent_id), id === null ? 0 : await levelsBelow(tx, id));
}
