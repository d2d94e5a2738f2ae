import { fail } from "../../../../kernel/errors.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import type { CompanyCheck } from "../registration/schema.ts";
import { type Claim, type Company, claimsOf, without, wordsOf } from "./model.ts";
import { claimsOfClient, clientsWith, type Holder, type Taken, takeClaims, takenClaims } from "./queries.ts";

/** How many of the partner's own clients are compared with a company. */
const CANDIDATES_MAX = 500;

type SoldTo = Company & { client_id: string | null };

/**
 * Makes a company the holder's, or refuses: it is another sale's or another client's, of whichever partner. What the client
 * that is sold to has already stays with it. `before` is what the sale had until now.
 */
export async function claimCompany(
  tx: Tx,
  scope: TenantScope,
  holder: Holder,
  sale: SoldTo,
  before: Company | null = null,
): Promise<void> {
  const claims = claimsOf(sale);
  const old = before === null ? [] : claimsOf(before);
  const of_client = sale.client_id === null ? [] : await claimsOfClient(tx, scope, sale.client_id);
  const wanted = without(claims, of_client);
  if (holder.client_id === null) await refuseOwnClient(tx, scope, sale, without(claims, old));
  const had = await takeClaims(tx, scope, holder, wanted, without(old, claims));
  const missing = without(wanted, had);
  if (missing.length > 0) refuseConflict(scope, await takenClaims(tx, missing, tx.now, holder.deal_id));
}

/** A company that is the partner's client already is not sold to anew, unless the sale says that it is to this client. */
async function refuseOwnClient(tx: Tx, scope: TenantScope, sale: SoldTo, claims: readonly Claim[]): Promise<void> {
  const existing_id = await ownClientOrNull(tx, scope, sale, claims);
  if (existing_id === null || existing_id === sale.client_id) return;
  const visible = scope.clients === "all" || scope.clients.includes(existing_id);
  fail("deal_conflict", {
    detail: "This company is a client of yours already. Name it in client_id to sell to it.",
    meta: { protected_until: null, ...(visible ? { existing_id } : {}) },
  });
}

async function ownClientOrNull(
  db: Queryable,
  scope: TenantScope,
  company: Company & { client_id?: string | null },
  claims: readonly Claim[],
): Promise<string | null> {
  if (claims.length === 0) return null;
  const known_by = claims.map(({ kind, value }) => (kind === "name" ? wordsOf(company.company ?? "") : [value]));
  const candidates = await clientsWith(db, scope, known_by, CANDIDATES_MAX);
  const same = candidates.filter((client) => without(claims, claimsOf(client)).length < claims.length);
  return same.find(({ id }) => id === company.client_id)?.id ?? same[0]?.id ?? null;
}

/** Says until when, and never whose: of what is the caller's own, also which. */
function refuseConflict(scope: TenantScope, taken: readonly Taken[]): never {
  const own = taken.find(({ partner_id }) => partner_id === scope.partner_id);
  const protected_until = latestOf(taken);
  fail("deal_conflict", {
    detail: `This company is registered already${protected_until === null ? "" : `, until ${protected_until}`}.`,
    meta: { protected_until, ...(own === undefined ? {} : { existing_id: own.client_id ?? own.deal_id }) },
  });
}

/** When the last of some claims ends; null where one has no end. */
function latestOf(taken: readonly Taken[]): string | null {
  const ends = taken.map(({ until }) => until?.getTime() ?? Number.POSITIVE_INFINITY);
  const last_ms = Math.max(...ends);
  return Number.isFinite(last_ms) ? new Date(last_ms).toISOString() : null;
}

/** Whether a company can be registered now. Who asked for what is in the audit log, so that nobody goes through a list unseen. */
export function checkCompany(ctx: Context, asked: CompanyCheck): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const claims = claimsOf(asked);
    const taken = await takenClaims(tx, claims, tx.now, null);
    const available = taken.length === 0 && (await ownClientOrNull(tx, ctx.scope, asked, claims)) === null;
    const changes = changesBetween<CompanyCheck>({}, asked, ["company", "company_domain", "contact"], new Set(["contact"]));
    record(tx, ctx.scope, [], { action: "registrations.check", target: null, client_id: null, changes });
    return { json: JSON.stringify({ available, protected_until: latestOf(taken) }) };
  });
}
