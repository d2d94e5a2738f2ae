import { notFound } from "../../../../kernel/errors.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, listIdentity, pageJson } from "../../../../kernel/page.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { recordChange, type Tx } from "../../../../platform/record/tx.ts";
import { programme } from "../../../programme/operators/index.ts";
import { claimCompany } from "../claims/commands.ts";
import { releaseClaims } from "../claims/queries.ts";
import { AUDITED } from "./commands.ts";
import { registrationChanged } from "./events.ts";
import { checkDecision, daysAfter, holds, type Registration, type Status } from "./model.ts";
import { lockRegistration, registrationOrNull, registrationsPage, saveRegistration, touchDeal } from "./queries.ts";
import type { RegistrationListQuery } from "./schema.ts";

export async function listRegistrations(ctx: Context, query: RegistrationListQuery): Promise<{ json: string }> {
  const { limit = LIMIT_DEFAULT, cursor, sort = "-created_at", ...filter } = query;
  const list = listIdentity("registrations", { sort, ...filter });
  const after = cursor === undefined ? null : String(decodeCursor(list, cursor, ["string"])[0]);
  const rows = await registrationsPage(ctx.db, { ...filter, descending: sort === "-created_at", after, limit });
  return { json: pageJson(rows, limit, ({ deal_id }) => encodeCursor(list, [deal_id])) };
}

export async function getRegistration(ctx: Context, deal_id: string): Promise<Registration> {
  return shown(await registrationOrNull(ctx.db.byKey, null, deal_id), deal_id);
}

function shown(registration: Registration | null, deal_id: string): Registration {
  return registration === null || registration.deleted ? notFound(deal_id) : registration;
}

/** The operator decides. An approval protects the company from now on, a rejection leaves it to others. */
export function decideRegistration(ctx: Context, deal_id: string, status: Status, reason: string | null): Promise<Registration> {
  return ctx.tx(async (tx) => decide(ctx, tx, shown(await lockRegistration(tx, null, deal_id), deal_id), status, reason));
}

/** The partner takes its claim back. */
export function withdrawSale(ctx: Context, deal_id: string, reason: string | null): Promise<Registration> {
  return ctx.tx(async (tx) => {
    const registration = shown(await lockRegistration(tx, ctx.scope.partner_id, deal_id), deal_id);
    return decide(ctx, tx, registration, "withdrawn", reason);
  });
}

/** Ends a registration whose protection is over; false when there is nothing to end any more. */
export function expireRegistration(ctx: Context, deal_id: string): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const before = await lockRegistration(tx, ctx.scope.partner_id, deal_id);
    if (before === null || before.outcome !== null || !holds(before) || before.protected_until > tx.now) return false;
    await change(ctx, tx, before, { ...before, status: "expired" }, "registrations.expire");
    return true;
  });
}

async function decide(ctx: Context, tx: Tx, before: Registration, status: Status, reason: string | null): Promise<Registration> {
  requireVersion(ctx, before);
  if (!checkDecision(before, status)) return before;
  const after = { ...before, status, reason, decided_by: actorOf(ctx.principal).id, decided_at: tx.now };
  if (status === "approved" && before.outcome === null) {
    after.protected_until = daysAfter(tx.now, (await programme(tx)).protection_days);
  }
  return change(ctx, tx, before, after, `registrations.${ACTIONS[status] ?? status}`);
}

/** What the audit log calls each decision. */
const ACTIONS: Partial<Record<Status, string>> = {
  approved: "approve",
  rejected: "reject",
  needs_info: "request_info",
  withdrawn: "withdraw",
};

/** Saves a registration whose deal was locked before, with its claims, and tells its partner. */
async function change(ctx: Context, tx: Tx, before: Registration, after: Registration, action: string): Promise<Registration> {
  const { partner_id, deal_id, account_id, outcome, protected_until } = after;
  const scope = { partner_id, clients: "all" } as const;
  await saveRegistration(tx, after);
  if (!holds(after)) await releaseClaims(tx, scope, deal_id);
  else if (outcome === null) await claimCompany(tx, scope, { deal_id, client_id: null, until: protected_until }, after, after);
  await touchDeal(tx, partner_id, deal_id);
  const saved = (await registrationOrNull(tx, partner_id, deal_id)) ?? notFound(deal_id);
  const { version } = saved;
  tx.tell(partner_id, { events: [registrationChanged(saved, actorOf(ctx.principal).id, tx.now)] });
  recordChange(
    tx,
    scope,
    { resource: "deal", change: "updated", id: deal_id, account_id, version },
    { action, changes: changesBetween(before, saved, AUDITED) },
  );
  return saved;
}
