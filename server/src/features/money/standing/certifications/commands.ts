import { type Fault, fail, notFound } from "../../../../kernel/errors.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { partnerOrNull } from "../../../programme/partners/index.ts";
import { certificationOrNull } from "../../../programme/tiers/index.ts";
import { reviewCertification } from "../commands.ts";
import { type Grant, grantForUpdateOrNull, grantsPage, heldGrantOrNull, insertGrant, saveEnd } from "./queries.ts";
import type { CertificationGrantCreate, CertificationGrantListQuery } from "./schema.ts";

const DAY_MS = 86_400_000;

/** Grants a certification to a partner, whose grade it may lift. One that is overdue ends first. */
export function grantCertification(ctx: Context, partner_id: string, input: CertificationGrantCreate): Promise<Grant> {
  const { certification_id } = input;
  return ctx.tx(async (tx) => {
    if ((await partnerOrNull(tx, partner_id)) === null) notFound(partner_id);
    const expires_at = await expiryOf(tx, input);
    const held = await heldGrantOrNull(tx, partner_id, certification_id);
    if (held !== null && isOverdue(held, tx.now)) await end(ctx, tx, partner_id, held, "expired");
    const granted = await insertGrant(ctx, tx, partner_id, certification_id, expires_at);
    const grant = granted ?? refuseHeld(await heldGrantOrNull(tx, partner_id, certification_id));
    record(tx, { partner_id }, [], { action: "certification_grants.create", target: grant.id, client_id: null });
    await reviewCertification(ctx, tx, partner_id, certification_id, "granted");
    return grant;
  });
}

/** Revokes a certification. One that has ended stays as it ended. */
export function revokeCertification(ctx: Context, partner_id: string, id: string): Promise<void> {
  return ctx.tx(async (tx) => {
    const grant = (await grantForUpdateOrNull(tx, partner_id, id)) ?? notFound(id);
    if (grant.ended_at === null) await end(ctx, tx, partner_id, grant, "revoked");
  });
}

/** Ends a certification whose time is over; false when there is nothing left to end. */
export function expireCertification(ctx: Context, partner_id: string, id: string): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const grant = await grantForUpdateOrNull(tx, partner_id, id);
    if (grant === null || grant.ended_at !== null || !isOverdue(grant, tx.now)) return false;
    await end(ctx, tx, partner_id, grant, "expired");
    return true;
  });
}

/** The partner keeps its grade for now: whether it still fits is for the next review. */
async function end(ctx: Context, tx: Tx, partner_id: string, grant: Grant, reason: "expired" | "revoked"): Promise<void> {
  await saveEnd(tx, partner_id, grant.id, reason);
  const action = reason === "revoked" ? "certification_grants.revoke" : "certification_grants.expire";
  record(tx, { partner_id }, [], { action, target: grant.id, client_id: null });
  await reviewCertification(ctx, tx, partner_id, grant.certification_id, "ended");
}

const isOverdue = ({ expires_at }: Grant, now: Date) => expires_at !== null && Date.parse(expires_at) <= now.getTime();

async function expiryOf(tx: Tx, { certification_id, expires_at }: CertificationGrantCreate): Promise<Date | null> {
  const certification = await certificationOrNull(tx, certification_id);
  if (certification === null || certification.archived) {
    refuse("certification_id", "unknown_certification", `There is no certification ${certification_id}, or it is archived.`);
  }
  const { valid_days } = certification;
  if (expires_at === undefined) return valid_days === null ? null : new Date(tx.now.getTime() + valid_days * DAY_MS);
  if (expires_at === null) return null;
  if (Date.parse(expires_at) <= tx.now.getTime()) refuse("expires_at", "past", "expires_at must be in the future.");
  return new Date(expires_at);
}

function refuse(field: string, code: string, detail: string): never {
  const faults: Fault[] = [{ in: "body", pointer: `#/${field}`, code, detail }];
  fail("validation_failed", { detail, faults });
}

function refuseHeld(held: Grant | null): never {
  fail("duplicate_certification", {
    detail: "The partner holds this certification.",
    ...(held === null ? {} : { meta: { existing_id: held.id } }),
  });
}

export async function listGrants(
  ctx: Context,
  partner_id: string,
  query: CertificationGrantListQuery,
): Promise<{ json: string }> {
  if ((await partnerOrNull(ctx.db.byKey, partner_id)) === null) notFound(partner_id);
  return grantsPage(ctx.db, partner_id, query);
}

export function listOwnGrants(ctx: Context, query: CertificationGrantListQuery): Promise<{ json: string }> {
  return grantsPage(ctx.db, ctx.scope.partner_id, query);
}
