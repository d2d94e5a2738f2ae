import { notFound } from "../../../../kernel/errors.ts";
import type { EventDraft } from "../../../../kernel/events.ts";
import type { Paging } from "../../../../platform/db/keyset.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { allTiers, type Tier } from "../../tiers/index.ts";
import { grantOpenRequest } from "../access/queries.ts";
import { PARTNER_FIELDS, type Partner } from "../operator/model.ts";
import { partnerOrNull, savePartner } from "../operator/queries.ts";
import { tierChanged } from "./events.ts";
import { directionBetween, type GradeCause } from "./model.ts";
import { insertTierChange, tierChangesPage } from "./queries.ts";

/** Changes the grade of a locked partner, or tells of a certification where the grade stays. */
export async function setGrade(ctx: Context, tx: Tx, partner: Partner, change: GradeCause & { grade: string }): Promise<Partner> {
  const tiers = await allTiers(tx);
  const { grade } = change;
  const grace_until = grade === partner.grade ? partner.grace_until : null;
  const saved = await savePartner(tx, { ...partner, grade, grace_until, api_access: accessAfter(tiers, partner, grade) });
  if (saved.api_access && !partner.api_access) await grantOpenRequest(ctx, tx, partner.id);
  const event = await recordGrade(ctx, tx, tiers, partner, saved, change);
  const changes = changesBetween(partner, saved, PARTNER_FIELDS);
  record(tx, { partner_id: partner.id }, [event], { action: "tiers.change", target: partner.id, client_id: null, changes });
  return saved;
}

/** A promotion to a tier with API access grants it. Nothing but the operator takes it away. */
export function accessAfter(tiers: readonly Tier[], { grade: from, api_access }: Partner, grade: string): boolean {
  const grants = tiers.find((tier) => tier.grade === grade)?.api_access ?? false;
  return api_access || (grants && directionBetween(tiers, from, grade) === "up");
}

/** Writes the history of a saved partner's grade. Returns the event. */
export async function recordGrade(
  ctx: Context,
  tx: Tx,
  tiers: readonly Tier[],
  before: Partner,
  saved: Partner,
  cause: GradeCause,
): Promise<EventDraft> {
  const { id: partner_id, grade } = saved;
  const { grade: previous_grade } = before;
  const { reason, certification_id = null } = cause;
  const direction = directionBetween(tiers, previous_grade, grade);
  await insertTierChange(ctx, tx, { partner_id, previous_grade, grade, direction, reason, certification_id });
  return tierChanged(saved, previous_grade, direction, cause, tx.now);
}

export function listOwnTierChanges(ctx: Context, paging: Paging): Promise<{ json: string }> {
  return tierChangesPage(ctx.db, ctx.scope.partner_id, paging);
}

export async function listTierChanges(ctx: Context, partner_id: string, paging: Paging): Promise<{ json: string }> {
  if ((await partnerOrNull(ctx.db.byKey, partner_id)) === null) notFound(partner_id);
  return tierChangesPage(ctx.db, partner_id, paging);
}
