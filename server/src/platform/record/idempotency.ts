import { hash } from "node:crypto";
import { fail } from "../../kernel/errors.ts";
import { actorOf, type Principal, tenantScope } from "../../kernel/principal.ts";
import type { Sealer } from "../crypto/seal.ts";
import { type Query, type Queryable, statement } from "../db/statement.ts";

export type StoredReply = { status: number; headers: Record<string, string>; body: string | null };

/** A request that may be repeated: its key, its fingerprint, and how its result becomes a reply. */
export type IdempotentRequest = {
  key: string;
  fingerprint: Buffer;
  /** Replies with a secret are stored encrypted. */
  secret: boolean;
  respond(result: unknown): StoredReply;
};

/** Thrown to leave the transaction with the stored reply. */
export class Replay extends Error {
  readonly reply: StoredReply;

  constructor(reply: StoredReply) {
    super("replayed");
    this.reply = reply;
  }
}

const tryKey = statement("select pg_try_advisory_xact_lock(hashtextextended($1, 2)) as free");

/**
 * Read after the lock, in a separate statement, to see what the first attempt committed; with what decides about it in the same statement,
 * because the body runs meanwhile, and what it does again may fail. A caller that has lost a right since, and
 * for a reply with a secret another secret of the key or another session of the user, could perhaps not make the request now, so the reply is withheld.
 */
const storedReply = statement(`
  select r.fingerprint, r.status, r.headers, r.body, r.sealed,
    r.key_version < coalesce(k.narrowed_version, u.narrowed_version, 0) or (r.sealed and r.credential_hash is distinct from $4::bytea) as withheld
  from idempotency_replies r left join keys k on k.id = r.actor_id left join users u on u.id = r.actor_id
  where r.partner_id = $1 and r.actor_id = $2 and r.key = $3`);

const insertReply = statement(`
  insert into idempotency_replies
    (partner_id, actor_id, key, fingerprint, status, headers, body, sealed, created_at, key_version, credential_hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);

type ReplyRow = Omit<StoredReply, "body"> & { fingerprint: Buffer; body: Buffer | null; sealed: boolean; withheld: boolean };

/**
 * Claims the key for this transaction by an advisory lock, which a crashed attempt does not keep: it either committed its
 * reply with its effect, or had no effect.
 */
export async function claimKey(tx: Queryable, sealer: Sealer, principal: Principal, request: IdempotentRequest): Promise<void> {
  const owner = actorOf(principal).id;
  const { hash } = credentialOf(principal);
  const [[lock], [stored]] = await Promise.all([
    tx.query<{ free: boolean }>(tryKey, [`${owner} ${request.key}`]),
    tx.query<ReplyRow>(storedReply, [tenantScope(principal).partner_id, owner, request.key, hash]),
  ]);
  if (lock?.free !== true) fail("idempotency_key_in_progress", { headers: { "retry-after": "1" } });
  if (stored === undefined) return;
  if (!stored.fingerprint.equals(request.fingerprint)) fail("idempotency_key_reused");
  if (stored.withheld) fail("reply_withheld");
  const body =
    stored.body === null ? null : stored.sealed ? sealer.open(stored.body, sealPurpose(owner, request)) : stored.body.toString();
  throw new Replay({ status: stored.status, headers: stored.headers, body });
}

/** The insert of the reply, in the same transaction as the effect. */
export function replyQuery(sealer: Sealer, principal: Principal, request: IdempotentRequest, result: unknown, now: Date): Query {
  const { status, headers, body } = request.respond(result);
  const owner = actorOf(principal).id;
  const { hash, version } = credentialOf(principal);
  const stored = body === null ? null : request.secret ? sealer.seal(body, sealPurpose(owner, request)) : Buffer.from(body);
  return {
    statement: insertReply,
    values: [
      tenantScope(principal).partner_id,
      owner,
      request.key,
      request.fingerprint,
      status,
      JSON.stringify(headers),
      stored,
      request.secret,
      now,
      version,
      request.secret ? hash : null,
    ],
  };
}

function credentialOf(principal: Principal): { hash: Buffer | null; version: number } {
  return principal.type === "system" ? { hash: null, version: 0 } : principal.credential;
}

const sealedStatement = statement(`
  -- all partners: for doctor, run by hand
  select actor_id, key, body from idempotency_replies where sealed and body is not null limit 1`);

/** Any encrypted reply, to check whether the current key decrypts it. */
export async function sealedReplyOrNull(db: Queryable): Promise<{ sealed: Buffer; purpose: string } | null> {
  const [row] = await db.query<{ actor_id: string; key: string; body: Buffer }>(sealedStatement);
  return row === undefined ? null : { sealed: row.body, purpose: sealPurpose(row.actor_id, row) };
}

/** A hash of the request that does not depend on the order of its JSON members. */
export function fingerprint(method: string, route: string, params: unknown, body: unknown): Buffer {
  return hash("sha256", JSON.stringify([method, route, params, canonical(body)]), "buffer");
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, member]) => [name, canonical(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sealPurpose(owner: string, request: Pick<IdempotentRequest, "key">): string {
  return `reply ${owner} ${request.key}`;
}
