import { fail } from "../../../../kernel/errors.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { claimCompany, refuseOwnClient } from "../claims/commands.ts";
import type { Holder } from "../claims/queries.ts";
import type { Deal } from "../model.ts";
import { clientStatusForShare, registerInserted, saveDeal } from "../queries.ts";
import { dealRegistered } from "./events.ts";
import { AUDITED, daysAfter, isExpired, isProtecting, outcomeOf, type Registration } from "./model.ts";
import { openRegistrations, registrationTerms, uplineOf } from "./queries.ts";

/**
 * Registers a deal that was just inserted, with its company, or refuses it. A deal that begins lost releases the company at once;
 * for one that begins won, the company is claimed together with its client.
 */
export async function registerDeal(ctx: Context, tx: Tx, inserted: Deal): Promise<Deal> {
  const terms = await termsWithinLimit(ctx, tx, inserted);
  const registration = newRegistration(terms, tx.now);
  if (inserted.status === "won") await refuseOwnClient(tx, ctx.scope, inserted);
  else {
    const until = inserted.status === "lost" ? tx.now : new Date(registration.protected_until);
    await claimCompany(tx, ctx.scope, { deal_id: inserted.id, client_id: null, until }, inserted);
  }
  const deal = await registerInserted(tx, ctx.scope, inserted, registration);
  recordRegistration(ctx, tx, deal, registration);
  return deal;
}

/** Registers a locked open deal of the house account: it is a sale from now on. A win as a plain deal was not one. */
export async function registerPlain(ctx: Context, tx: Tx, plain: Deal): Promise<Deal> {
  const registration = newRegistration(await termsWithinLimit(ctx, tx, plain), tx.now);
  await claimCompany(tx, ctx.scope, holderOf(plain, registration), plain);
  const sale = await saveDeal(tx, ctx.scope, plain, { ...plain, sale: true, first_won_at: null, registration });
  if (sale === null) throw new Error("a registration does not change the external id");
  recordRegistration(ctx, tx, sale, registration);
  tx.tell(ctx.scope.partner_id, { changes: [{ resource: "deal", change: "updated", ...sale }] });
  return sale;
}

/** Registers a deal again that was lost or won and is open again: the rest of its protection if there is any, a new one otherwise. */
export async function renewRegistration(ctx: Context, tx: Tx, deal: Deal): Promise<Registration> {
  const { registration: before } = deal;
  const terms = await termsWithinLimit(ctx, tx, deal);
  const valid = before !== null && isProtecting(before) && !isExpired(before, tx.now);
  const registration = valid ? before : newRegistration(terms, tx.now);
  await claimCompany(tx, ctx.scope, holderOf(deal, registration), deal);
  return registration;
}

function recordRegistration(ctx: Context, tx: Tx, deal: Deal, registration: Registration): void {
  const changes = changesBetween<Partial<Registration>>({}, registration, AUDITED);
  record(tx, ctx.scope, [dealRegistered(ctx.scope.partner_id, deal, registration)], {
    action: "registrations.create",
    target: deal.id,
    client_id: deal.account_id,
    changes,
  });
}

/** The registration after a change of its deal: a change answers a request for information. */
export function resubmit(deal: Deal, now: Date): Registration | null {
  const { registration } = deal;
  if (registration?.status !== "needs_info" || outcomeOf(deal) === "lost") return registration;
  return { ...registration, status: "submitted", submitted_at: now.toISOString() };
}

/** Makes the claims of a deal follow a change of its company, domain, e-mail or phone. */
export async function updateClaims(ctx: Context, tx: Tx, before: Deal, after: Deal): Promise<void> {
  const { registration } = after;
  if (registration === null || !isProtecting(registration) || outcomeOf(after) === "lost") return;
  await claimCompany(tx, ctx.scope, await holderAfterChange(ctx, tx, after, registration), after, before);
  if (before.registration === null || before.registration.status === registration.status) return;
  const changes = changesBetween(before.registration, registration, ["status"]);
  record(tx, ctx.scope, [], { action: "registrations.submit", target: after.id, client_id: after.account_id, changes });
}

export function holderOf({ id }: Deal, { protected_until }: Registration): Holder {
  return { deal_id: id, client_id: null, until: new Date(protected_until) };
}

/** The company of a won deal is its client's, for as long as that is one. */
async function holderAfterChange(ctx: Context, tx: Tx, deal: Deal, registration: Registration): Promise<Holder> {
  const { id, client_id } = deal;
  if (outcomeOf(deal) !== "won" || client_id === null) return holderOf(deal, registration);
  const churned = (await clientStatusForShare(tx, ctx.scope, client_id)) === "churned";
  return { deal_id: id, client_id, until: churned ? tx.now : null };
}

/** The terms of the partner, and who stands above it. */
type Terms = Awaited<ReturnType<typeof registrationTerms>> & { upline: string[] };

function newRegistration({ registration_review, protection_days, upline }: Terms, now: Date): Registration {
  return {
    status: registration_review === "review" ? "submitted" : "approved",
    protected_until: daysAfter(now, protection_days),
    reason: null,
    submitted_at: now.toISOString(),
    decided_by: null,
    decided_at: null,
    upline,
  };
}

/** The partner's terms, or a refusal where the partner has as many open registrations as they allow. */
async function termsWithinLimit(ctx: Context, tx: Tx, { id }: Deal): Promise<Terms> {
  const [settings, upline] = await Promise.all([registrationTerms(tx, ctx.scope), uplineOf(tx, ctx.scope)]);
  const terms = { ...settings, upline };
  const { open_registrations_max: limit } = terms;
  if ((await openRegistrations(tx, ctx.scope, id, limit)) < limit) return terms;
  fail("registration_limit_reached", {
    detail: `The partner has ${limit} open registrations, which is the limit.`,
    meta: { limit },
  });
}
