import { fail } from "../../../kernel/errors.ts";
import { type Caller, type ClientAccess, tenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Work } from "../../../platform/record/context.ts";

/**
 * Shared by every write of a key. The one of the key is taken alone by its revocation, the one of the partner by its
 * suspension, which so waits for the writes under way and holds back the next. Locks of their own, because sharing the
 * rows would dirty them with every write. The partner's comes first: a writer that held its key's while it waited for a
 * suspension could be what a revocation waits for, and that revocation what the suspension waits for.
 */
const shareWriter = statement(`
  select pg_advisory_xact_lock_shared(hashtextextended($1, 3)), pg_advisory_xact_lock_shared(hashtextextended($2, 1))`);
const ownKey = statement("select pg_advisory_xact_lock(hashtextextended($1, 1))");
const ownPartner = statement("select pg_advisory_xact_lock(hashtextextended($1, 3))");

/** A statement after the lock, not the same one, so that it sees what the revocation or the suspension committed. */
const livingKey = statement(`
  select coalesce(p.status, 'active') as status, k.version,
    case when k.version <> $5 then array_to_string(k.scopes, ' ') end as scopes, case when k.version <> $5 then k.clients end as clients
  from keys k left join partners p on p.id = k.partner_id
  where k.id = $1 and (k.hash = $2 or (k.previous_hash = $2 and k.previous_hash_until > $4)) and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > $4) and (k.allowed_cidrs is null or $3::inet <<= any (k.allowed_cidrs))`);

type LivingKey = { status: string; version: number; scopes: string | null; clients: string[] | null };

/**
 * Admits a key to write in this transaction: one that is revoked, rotated or narrowed, or whose partner is suspended,
 * meanwhile commits nothing.
 */
export async function admitWriter(tx: Queryable, caller: Caller, now: Date): Promise<void> {
  const { hash, ip, version } = caller.credential;
  const [, [key]] = await Promise.all([
    tx.query(shareWriter, [tenantScope(caller).partner_id, caller.key_id]),
    tx.query<LivingKey>(livingKey, [caller.key_id, hash, ip, now, version]),
  ]);
  if (key === undefined) fail("invalid_credentials");
  if (key.status !== "active") fail("partner_suspended");
  if (key.version !== version && !holdsStill(caller, key)) {
    fail("service_unavailable", {
      detail: "The key was changed while the request was under way. Nothing was done: send it again.",
      headers: { "retry-after": "1" },
    });
  }
}

const workingKey = statement(`
  select p.status, k.scopes, k.clients from keys k join partners p on p.id = k.partner_id
  where k.id = $1 and k.partner_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)`);

/**
 * Admits what a key asked for and what is done after its request: once the key is revoked, has expired or may no longer do it, or its
 * partner is suspended, nothing more of it commits. A rotation leaves the key what it is.
 */
export async function admitWork(tx: Queryable, { partner_id, key_id, scope, account_id }: Work, now: Date): Promise<void> {
  type Found = { status: string; scopes: string[]; clients: string[] | null };
  const [, [key]] = await Promise.all([
    tx.query(shareWriter, [partner_id, key_id]),
    tx.query<Found>(workingKey, [key_id, partner_id, now]),
  ]);
  if (key === undefined) fail("invalid_credentials", { detail: "The key that sent it is no longer valid." });
  if (key.status !== "active") fail("partner_suspended");
  if (!key.scopes.includes(scope))
    fail("insufficient_scope", {
      detail: `The key that sent it no longer has the scope ${scope}.`,
      meta: { required_scope: scope },
    });
  if (!within([account_id], key.clients ?? "all"))
    fail("not_found", { detail: "The key that sent it no longer has the account." });
}

/** Whether a key that was changed since it was admitted may still do all that it was admitted with. */
function holdsStill(caller: Caller, { scopes, clients }: LivingKey): boolean {
  if (caller.type !== "key") return true;
  const held = new Set<string>(scopes?.split(" "));
  return [...caller.scopes].every((scope) => held.has(scope)) && within(caller.clients, clients ?? "all");
}

/** Whether some clients are all among others. */
export function within(clients: ClientAccess, others: ClientAccess): boolean {
  return others === "all" || (clients !== "all" && clients.every((id) => others.includes(id)));
}

/** Waits until no write of the key is under way and lets none begin before this transaction ends. */
export async function excludeWriters(tx: Queryable, key_id: string): Promise<void> {
  await tx.query(ownKey, [key_id]);
}

/** The same for every key of a partner. */
export async function excludePartner(tx: Queryable, partner_id: string): Promise<void> {
  await tx.query(ownPartner, [partner_id]);
}
