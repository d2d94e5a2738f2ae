import { fail } from "../../../kernel/errors.ts";
import { type Caller, tenantScope, within } from "../../../kernel/principal.ts";
import { condition } from "../../../platform/db/assumptions.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Sender } from "../../../platform/db/transaction.ts";
import type { Work } from "../../../platform/record/context.ts";
import type { Admission } from "../../../platform/record/idempotency.ts";

/**
 * Every write takes the first two locks shared. A revocation takes the key's exclusively, a sign-out or a lesser role the user's, a suspension the partner's, and so waits for
 * concurrent writes and blocks new ones. They are advisory locks because a row lock would dirty the row with every write. The
 * partner's lock is taken first: in the other order a writer, a revocation and a suspension could deadlock. The third lock, of what
 * the write claims for itself, is not waited for.
 */
const LOCKS = "pg_advisory_xact_lock_shared(hashtextextended($1, 3)), pg_advisory_xact_lock_shared(hashtextextended($2, 1))";
const CLAIMED = "$3::text is null or pg_try_advisory_xact_lock(hashtextextended($3, 2))";
const lockShared = statement(`select ${LOCKS}, ${CLAIMED} as free`);
const lockClaimed = statement(`select ${LOCKS}, confirm(${CLAIMED})`);
const lockKey = statement("select pg_advisory_xact_lock(hashtextextended($1, 1))");
const lockPartner = statement("select pg_advisory_xact_lock(hashtextextended($1, 3))");

const ACTIVE = `
  from keys k left join partners p on p.id = k.partner_id
  where k.id = $1 and (k.hash = $2 or (k.previous_hash = $2 and k.previous_hash_until > $4)) and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > $4) and (k.allowed_cidrs is null or $3::inet <<= any (k.allowed_cidrs))`;

/** A statement of its own after the lock, so that its snapshot includes the revocation or suspension that was waited for. */
const activeKey = statement(`
  select coalesce(p.status, 'active') as status, k.version, k.narrowed_version,
    case when k.version <> $5 then array_to_string(k.scopes, ' ') end as scopes, case when k.version <> $5 then k.clients end as clients
  ${ACTIVE}`);

/** The key is as the request was admitted with it. */
const sameKey = condition(`exists (select ${ACTIVE} and k.version = $5 and coalesce(p.status, 'active') = 'active')`);

type ActiveKey = {
  status: string;
  version: number;
  narrowed_version: number;
  scopes: string | null;
  clients: string[] | null;
};

type KeyCaller = Extract<Caller, { key_id: string }>;

/** Takes the shared locks of a write by a key or a user; false if another write has what it claims. */
export async function holdWriter(
  tx: Queryable,
  partner_id: string,
  actor_id: string,
  claim: string | null = null,
): Promise<boolean> {
  const [locks] = await tx.query<{ free: boolean }>(lockShared, [partner_id, actor_id, claim]);
  return locks?.free === true;
}

/** Admits a key to write in this transaction, unless it was revoked, rotated or restricted, or its partner suspended, since the request was admitted. */
export async function admitKey(tx: Sender, caller: KeyCaller, now: Date, claim: string | null): Promise<Admission> {
  const { hash, ip, version } = caller.credential;
  if (tx.assuming) {
    tx.send({ statement: lockClaimed, values: [tenantScope(caller).partner_id, caller.key_id, claim] });
    tx.confirm(sameKey, [caller.key_id, hash, ip, now, version]);
    return { free: true, narrowed_version: version };
  }
  const [free, [key]] = await Promise.all([
    holdWriter(tx, tenantScope(caller).partner_id, caller.key_id, claim),
    tx.query<ActiveKey>(activeKey, [caller.key_id, hash, ip, now, version]),
  ]);
  if (key === undefined) fail("invalid_credentials");
  if (key.status !== "active") fail("partner_suspended");
  if (key.version !== version && !stillAllows(caller, key)) {
    fail("service_unavailable", {
      detail: "The key was changed during the request. Nothing was written: send the request again.",
      headers: { "retry-after": "1" },
    });
  }
  return { free, narrowed_version: key.narrowed_version };
}

const workingKey = statement(`
  select p.status, k.scopes, k.clients from keys k join partners p on p.id = k.partner_id
  where k.id = $1 and k.partner_id = $2 and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)`);

/**
 * Admits background work that a key requested, unless the key was revoked, expired or lost the permission, or its partner was suspended.
 * A rotation changes nothing.
 */
export async function admitKeyWork(tx: Queryable, { partner_id, by, scope, accounts }: Work, now: Date): Promise<void> {
  type Found = { status: string; scopes: string[]; clients: string[] | null };
  const [, [key]] = await Promise.all([holdWriter(tx, partner_id, by), tx.query<Found>(workingKey, [by, partner_id, now])]);
  if (key === undefined) fail("invalid_credentials", { detail: "The key that requested the work is no longer valid." });
  if (key.status !== "active") fail("partner_suspended");
  if (!key.scopes.includes(scope))
    fail("insufficient_scope", {
      detail: `The key that requested the work no longer has the scope ${scope}.`,
      meta: { required_scope: scope },
    });
  if (!within(accounts, key.clients ?? "all"))
    fail("not_found", { detail: "The key that requested the work no longer has access to the account." });
}

/** Whether a key that was changed since the request was admitted still has all its permissions. */
function stillAllows(caller: KeyCaller, { scopes, clients }: ActiveKey): boolean {
  if (caller.type === "operator") return true;
  const granted = new Set<string>(scopes?.split(" "));
  return [...caller.scopes].every((scope) => granted.has(scope)) && within(caller.clients, clients ?? "all");
}

/** Waits for the concurrent writes of a key or a user and blocks new ones until this transaction ends. */
export async function excludeWriters(tx: Queryable, actor_id: string): Promise<void> {
  await tx.query(lockKey, [actor_id]);
}

/** The same for all keys and users of a partner. */
export async function excludePartner(tx: Queryable, partner_id: string): Promise<void> {
  await tx.query(lockPartner, [partner_id]);
}
