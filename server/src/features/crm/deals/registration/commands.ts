import { type Fault, fail } from "../../../../kernel/errors.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { addClient, applySale } from "../../../accounts/clients/index.ts";
import { programme } from "../../../programme/operators/index.ts";
import { claimCompany } from "../claims/commands.ts";
import { releaseClaims } from "../claims/queries.ts";
import { dealRegistered } from "./events.ts";
import { daysAfter, holds, type Registration, type Sale, type SaleContact } from "./model.ts";
import { openRegistrations, type RegistrationState, registrationOrNull, saveRegistration } from "./queries.ts";

export const AUDITED = ["status", "protected_until", "reason"] as const;

/** Registers a sale whose deal has just been inserted: its company is the partner's from now on, or the sale is refused. */
export async function registerSale(ctx: Context, tx: Tx, sale: Sale): Promise<Registration> {
  const registration = await submitSale(ctx, tx, sale);
  const { deal_id, account_id } = registration;
  const changes = changesBetween<Partial<Registration>>({}, registration, AUDITED);
  record(tx, ctx.scope, [dealRegistered(registration)], {
    action: "registrations.create",
    target: deal_id,
    client_id: account_id,
    changes,
  });
  return registration;
}

/** The claims of a sale follow its company, domain, e-mail and phone. What waits for information is submitted again by any change. */
export async function amendSale(ctx: Context, tx: Tx, before: Sale, after: Sale): Promise<void> {
  const registration = await registrationOrNull(tx, ctx.scope.partner_id, after.deal_id);
  if (registration === null || !holds(registration) || registration.outcome === "lost") return;
  const { deal_id, protected_until, outcome, account_id } = registration;
  const client_id = outcome === "won" ? after.client_id : null;
  const holder = { deal_id, client_id, until: client_id === null ? protected_until : null };
  await claimCompany(tx, ctx.scope, holder, after, before);
  if (registration.status !== "needs_info") return;
  const submitted: RegistrationState = { ...registration, status: "submitted", submitted_at: tx.now };
  await saveRegistration(tx, submitted);
  const changes = changesBetween<RegistrationState>(registration, submitted, ["status"]);
  record(tx, ctx.scope, [], { action: "registrations.submit", target: deal_id, client_id: account_id, changes });
}

/** A deal was lost or deleted: its company is free, unless it is the partner's client by now. */
export async function releaseSale(ctx: Context, tx: Tx, deal_id: string): Promise<void> {
  const registration = await registrationOrNull(tx, ctx.scope.partner_id, deal_id);
  if (registration === null) return;
  await saveRegistration(tx, { ...registration, outcome: "lost" });
  await releaseClaims(tx, ctx.scope, deal_id);
}

/** A deal that was lost or won is open again. What is left of its protection comes back; after its end it is submitted anew. */
export async function reclaimSale(ctx: Context, tx: Tx, sale: Sale): Promise<Registration> {
  const before = await registrationOrNull(tx, ctx.scope.partner_id, sale.deal_id);
  if (before === null) return registerSale(ctx, tx, sale);
  refuseClosed(before);
  return submitSale(ctx, tx, sale, holds(before) && before.protected_until > tx.now ? before : null);
}

/** A rejected or withdrawn deal stays where it is. */
export async function requireMovable(ctx: Context, tx: Tx, deal_id: string): Promise<void> {
  const registration = await registrationOrNull(tx, ctx.scope.partner_id, deal_id);
  if (registration !== null) refuseClosed(registration);
}

/**
 * A sale is won: its company becomes a client, or the client that it names is sold to, and has the company for itself for as long
 * as it is one. A sale whose protection has ended can still be won, if nobody else has the company by then.
 */
export async function provisionClient(ctx: Context, tx: Tx, sale: Sale): Promise<string> {
  const { deal_id } = sale;
  const client_id = await clientSoldTo(ctx, tx, sale);
  const registration = await registrationOrNull(tx, ctx.scope.partner_id, deal_id);
  if (registration === null) return client_id;
  await saveRegistration(tx, { ...registration, outcome: "won" });
  await claimCompany(tx, ctx.scope, { deal_id, client_id, until: null }, sale);
  return client_id;
}

async function clientSoldTo(ctx: Context, tx: Tx, sale: Sale): Promise<string> {
  const { deal_id, company, plan, mrr_cents, currency, client_id } = sale;
  if (company === null) throw new Error(`the deal ${deal_id} has no company`);
  const sold = { plan, mrr_cents: mrr_cents ?? 0, currency };
  if (client_id === null) return (await addClient(ctx, tx, { company, contact: contactOf(sale.contact), ...sold }, deal_id)).id;
  return (await applySale(ctx, tx, client_id, sold))?.id ?? refuseClient(client_id);
}

/** A client's contact has the members that are known, and no others. */
function contactOf(contact: SaleContact | null) {
  const known = Object.entries(contact ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return known.length === 0 ? null : (Object.fromEntries(known) as { name?: string; email?: string; phone?: string });
}

/** Saves the registration with its claims: what it was before, or what the programme says of a new one. */
async function submitSale(ctx: Context, tx: Tx, sale: Sale, before: RegistrationState | null = null): Promise<Registration> {
  const { deal_id } = sale;
  const { partner_id } = ctx.scope;
  const { registration_review, protection_days, open_registrations_max } = await programme(tx);
  if ((await openRegistrations(tx, partner_id, deal_id, open_registrations_max)) >= open_registrations_max) {
    fail("registration_limit_reached", {
      detail: `The partner has ${open_registrations_max} registered sales under way, as many as it may have.`,
      meta: { limit: open_registrations_max },
    });
  }
  const state: RegistrationState = before ?? {
    partner_id,
    deal_id,
    status: registration_review === "review" ? "submitted" : "approved",
    outcome: null,
    protected_until: daysAfter(tx.now, protection_days),
    reason: null,
    submitted_at: tx.now,
    decided_by: null,
    decided_at: null,
  };
  await saveRegistration(tx, { ...state, outcome: null });
  await claimCompany(tx, ctx.scope, { deal_id, client_id: null, until: state.protected_until }, sale);
  const registration = await registrationOrNull(tx, partner_id, deal_id);
  if (registration === null) throw new Error(`the deal ${deal_id} must be there before it is registered`);
  return registration;
}

function refuseClosed({ status, reason }: Registration): void {
  if (status !== "rejected" && status !== "withdrawn") return;
  fail("registration_closed", {
    detail: `The deal's registration is ${status}${reason === null ? "" : `: ${reason}`}`,
    meta: { registration_status: status },
  });
}

function refuseClient(client_id: string): never {
  const detail = `There is no ${client_id} here that could be sold to.`;
  const faults: Fault[] = [{ in: "body", pointer: "#/client_id", code: "unknown_client", detail }];
  fail("validation_failed", { detail, faults });
}
