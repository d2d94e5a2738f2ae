import { fail } from "../../../../kernel/errors.ts";
import type { TenantScope } from "../../../../kernel/principal.ts";
import type { Queryable } from "../../../../platform/db/statement.ts";
import { changesBetween } from "../../../../platform/record/audit.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import type { CompanyCheck } from "../registration/schema.ts";
import { type Claim, type Company, claimsOf, searchWords, subtractClaims } from "./model.ts";
import { claimsOfClient, clientsMatching, type Held, type Holder, heldClaims, setClaimsUntil, takeClaims } from "./queries.ts";

/** How many of the partner's own clients are compared with a company. */
const CANDIDATES_MAX = 500;

type SoldTo = Company & { client_id: string | null };

/**
 * Claims the company of a deal for a holder, or refuses because another deal or client has it, of whichever partner. Claims of the
 * client that the deal names stay the client's. `before` is the deal before a change: claims that it no longer needs are released.
 */
export async function claimCompany(
  tx: Tx,
  scope: TenantScope,
  holder: Holder,
  deal: SoldTo,
  before: Company | null = null,
): Promise<void> {
  const claims = claimsOf(deal);
  const former = before === null ? [] : claimsOf(before);
  const of_client = deal.client_id === null ? [] : await claimsOfClient(tx, scope, deal.client_id);
  const wanted = subtractClaims(claims, of_client);
  if (holder.client_id === null) await refuseOwnClient(tx, scope, deal, subtractClaims(claims, former));
  const taken = await takeClaims(tx, scope, holder, wanted, subtractClaims(former, claims));
  const missing = subtractClaims(wanted, taken);
  if (missing.length > 0) refuseConflict(scope, await heldClaims(tx, missing, tx.now, holder.deal_id));
}

/** Refuses a company that is already a client of the partner, unless the deal names this client. */
export async function refuseOwnClient(
  tx: Tx,
  scope: TenantScope,
  deal: SoldTo,
  claims: readonly Claim[] = claimsOf(deal),
): Promise<void> {
  const existing_id = await ownClientOrNull(tx, scope, deal, claims);
  if (existing_id === null || existing_id === deal.client_id) return;
  const visible = scope.clients === "all" || scope.clients.includes(existing_id);
  fail("deal_conflict", {
    detail: "This company is already one of your clients. Send client_id to sell to it.",
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
  const texts = claims.map(({ kind, value }) => (kind === "name" ? searchWords(company.company ?? "") : [value]));
  const candidates = await clientsMatching(db, scope, texts, CANDIDATES_MAX);
  const same = candidates.filter((client) => subtractClaims(claims, claimsOf(client)).length < claims.length);
  return same.find(({ id }) => id === company.client_id)?.id ?? same[0]?.id ?? null;
}

/** Names the end of the protection, and never the holder unless it is the caller's own. */
function refuseConflict(scope: TenantScope, held: readonly Held[]): never {
  const own = held.find(({ partner_id }) => partner_id === scope.partner_id);
  const protected_until = latestEnd(held);
  fail("deal_conflict", {
    detail: `This company is already registered${protected_until === null ? "" : `, until ${protected_until}`}.`,
    meta: { protected_until, ...(own === undefined ? {} : { existing_id: own.client_id ?? own.deal_id }) },
  });
}

/** When the last of some claims ends; null where one has no end. */
function latestEnd(held: readonly Held[]): string | null {
  const last_ms = Math.max(...held.map(({ until }) => until?.getTime() ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(last_ms) ? new Date(last_ms).toISOString() : null;
}

/** Whether a company can be registered now. Every check is audited, so that probing a list of companies leaves a trace. */
export function checkCompany(ctx: Context, company: CompanyCheck): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const claims = claimsOf(company);
    const held = await heldClaims(tx, claims, tx.now, null);
    const available = held.length === 0 && (await ownClientOrNull(tx, ctx.scope, company, claims)) === null;
    const changes = changesBetween<CompanyCheck>({}, company, ["company", "company_domain", "contact"], new Set(["contact"]));
    record(tx, ctx.scope, [], { action: "registrations.check", target: null, client_id: null, changes });
    return { json: JSON.stringify({ available, protected_until: latestEnd(held) }) };
  });
}

type MovedClient = { partner_id: string; id: string; status: string };

/** A churned client releases its companies. One that is won back has them again, except for those that others have claimed meanwhile. */
export async function updateClientClaims(tx: Tx, client: MovedClient, from: string): Promise<void> {
  if (client.status === "churned") await setClaimsUntil(tx, client, tx.now);
  else if (from === "churned") await setClaimsUntil(tx, client, null);
}
