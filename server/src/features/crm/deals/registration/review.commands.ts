import { fail, notFound } from "../../../../kernel/errors.ts";
import { actorOf, type TenantScope } from "../../../../kernel/principal.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record, recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { unearnSale } from "../../../money/charges/index.ts";
import { reviewGrade } from "../../../money/standing/index.ts";
import { claimCompany } from "../claims/commands.ts";
import { releaseClaims } from "../claims/queries.ts";
import type { Deal } from "../model.ts";
import { dealsForUpdate, saveDeal } from "../queries.ts";
import { earn } from "../sale.commands.ts";
import { holderOf } from "./commands.ts";
import { registrationChanged } from "./events.ts";
import {
  AUDITED,
  checkDecision,
  daysAfter,
  isExpired,
  isProtecting,
  outcomeOf,
  PERSONAL,
  type Registration,
  type Status,
} from "./model.ts";
import { partnerOfRegistration, registrationOrNull, registrationTerms, type ShownRegistration } from "./queries.ts";

/** A deal that has a registration. */
type RegisteredDeal = Deal & { registration: Registration };

export async function getRegistration(ctx: Context, deal_id: string): Promise<ShownRegistration> {
  const { partner_id } = await scopeOf(ctx.db.byKey, deal_id);
  return (await registrationOrNull(ctx.db.byKey, partner_id, deal_id)) ?? notFound(deal_id);
}

/** Decides a registration for the operator. An approval protects the company from now on, a rejection releases it. */
export function decideRegistration(
  ctx: Context,
  deal_id: string,
  status: Status,
  reason: string | null,
): Promise<ShownRegistration> {
  return ctx.tx(async (tx) => decide(ctx, tx, await scopeOf(tx, deal_id), deal_id, status, reason));
}

/** Withdraws the registration of a partner's own deal. */
export function withdrawRegistration(ctx: Context, deal_id: string, reason: string | null): Promise<ShownRegistration> {
  return ctx.tx((tx) => decide(ctx, tx, ctx.scope, deal_id, "withdrawn", reason));
}

/** Expires a registration whose protection has ended; false when there is nothing left to expire. */
export function expireRegistration(ctx: Context, deal_id: string): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const before = await lockRegistered(tx, ctx.scope, deal_id);
    if (before === null || outcomeOf(before) !== null) return false;
    const { registration } = before;
    if (!isProtecting(registration) || !isExpired(registration, tx.now)) return false;
    await saveDecision(ctx, tx, ctx.scope, before, { ...registration, status: "expired" }, "registrations.expire");
    return true;
  });
}

async function scopeOf(db: Queryable, deal_id: string): Promise<TenantScope> {
  const partner_id = (await partnerOfRegistration(db, deal_id)) ?? notFound(deal_id);
  return { partner_id, clients: "all" };
}

async function lockRegistered(tx: Tx, scope: TenantScope, deal_id: string): Promise<RegisteredDeal | null> {
  const [deal] = await dealsForUpdate(tx, scope, [deal_id]);
  if (deal === undefined || deal.deleted_at !== null || deal.registration === null) return null;
  return { ...deal, registration: deal.registration };
}

/** What the audit log calls each decision. */
const ACTIONS: Partial<Record<Status, string>> = {
  approved: "approve",
  rejected: "reject",
  needs_info: "request_info",
  withdrawn: "withdraw",
};

async function decide(ctx: Context, tx: Tx, scope: TenantScope, deal_id: string, status: Status, reason: string | null) {
  const before = (await lockRegistered(tx, scope, deal_id)) ?? notFound(deal_id);
  requireVersion(ctx, before);
  const outcome = outcomeOf(before);
  if (checkDecision(before.registration, outcome, status)) {
    const decided = { decided_by: actorOf(ctx.principal).id, decided_at: tx.now.toISOString() };
    const after: Registration = { ...before.registration, status, reason, ...decided };
    if (status === "approved" && outcome === null) {
      after.protected_until = daysAfter(tx.now, (await registrationTerms(tx, scope)).protection_days);
    }
    const saved = await saveDecision(ctx, tx, scope, before, after, `registrations.${ACTIONS[status] ?? status}`);
    await earnByDecision(ctx, tx, scope, saved);
  }
  return (await registrationOrNull(tx, scope.partner_id, deal_id)) ?? notFound(deal_id);
}

/** Saves the registration of a locked deal with its claims, and records the change for its partner. */
async function saveDecision(
  ctx: Context,
  tx: Tx,
  scope: TenantScope,
  before: RegisteredDeal,
  registration: Registration,
  action: string,
): Promise<Deal> {
  const saved = await saveDeal(tx, scope, before, { ...before, registration });
  if (saved === null) throw new Error("a decision does not change the external id");
  if (!isProtecting(registration)) await releaseClaims(tx, scope, saved.id);
  else if (outcomeOf(saved) === null) await claimCompany(tx, scope, holderOf(saved, registration), saved, saved);
  tx.tell(scope.partner_id, { events: [registrationChanged(scope.partner_id, saved, actorOf(ctx.principal).id)] });
  const changes = changesBetween(before.registration, registration, AUDITED, PERSONAL);
  recordChange(tx, scope, { resource: "deal", change: "updated", ...saved }, { action, changes });
  return saved;
}

/** A sale that was won before the decision earns from the approval on, and nothing any more after a rejection. */
async function earnByDecision(ctx: Context, tx: Tx, scope: TenantScope, deal: Deal): Promise<void> {
  if (deal.status !== "won" || deal.registration === null) return;
  const sale = { partner_id: scope.partner_id, deal_id: deal.id };
  if (deal.registration.status !== "approved")
    return unearnSale(ctx, tx, sale, { reason: "registration_rejected", held: "reverse" });
  (await earn(ctx, tx, scope, deal))?.tell();
  await reviewGrade(ctx, tx, scope.partner_id);
}

/** Lets a sale earn that was won before there were commissions, or again after the operator voided a commission of it; once. */
export function accrueSale(ctx: Context, deal_id: string): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const scope = await scopeOf(tx, deal_id);
    const deal = (await lockRegistered(tx, scope, deal_id)) ?? notFound(deal_id);
    requireVersion(ctx, deal);
    if (deal.status !== "won" || deal.registration.status !== "approved")
      fail("invalid_state_transition", {
        detail: "Only a won sale whose registration is approved earns.",
        meta: { from: deal.status, to: "accrued", allowed: ["won"] },
      });
    const earned = await earn(ctx, tx, scope, deal, { despite_void: true });
    earned?.tell();
    if (earned !== null) record(tx, scope, [], { action: "deals.accrue", target: deal_id, client_id: deal.account_id });
    const reply = { deal_id, accrued: earned !== null, first_commission_cents: earned?.first_commission_cents ?? 0 };
    return { json: JSON.stringify(reply) };
  });
}
