import { hash } from "node:crypto";
import { fail } from "../../kernel/errors.ts";
import { actorOf, type Principal, tenantScope } from "../../kernel/principal.ts";
import type { Sealer } from "../crypto/seal.ts";
import { condition } from "../db/assumptions.ts";
import { type Query, type Queryable, statement } from "../db/statement.ts";
import type { Sender } from "../db/transaction.ts";

export type StoredReply = { status: number; headers: Record<string, string>; body: string | null };

/** A request that may be repeated: its key, its fingerprint, and how its result becomes a reply. */
export type IdempotentRequest = {
  key: string;
  fingerprint: Buffer;
  /** Replies with a secret are stored encrypted. */
  secret: boolean;
  respond(result: unknown): StoredReply;
};

/** Whether what a write claims was free, and the version in which its key or user last lost a right. */
export type Admission = { free: boolean; narrowed_version: number };

/** Thrown to leave the transaction with the stored reply. */
export class Replay extends Error {
  readonly reply: StoredReply;

  constructor(reply: StoredReply) {
    super("replayed");
    this.reply = reply;
  }
}

/** Read after the lock, in a separate statement, to see what the first attempt committed. */
const storedReply = statement(`
  select fingerprint, status, headers, body, sealed, key_version, sealed and credential_hash is distinct from $4::bytea as of_other_secret
  from idempotency_replies where partner_id = $1 and actor_id = $2 and key = $3`);

const noReply = condition(`not exists (select from idempotency_replies where partner_id = $1 and actor_id = $2 and key = $3)`);

const insertReply = statement(`
  insert into idempotency_replies
    (partner_id, actor_id, key, fingerprint, status, headers, body, sealed, created_at, key_version, credential_hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`);

type ReplyRow = Omit<StoredReply, "body"> & {
  fingerprint: Buffer;
  body: Buffer | null;
  sealed: boolean;
  key_version: number;
  of_other_secret: boolean;
};

/**
 * What a transaction claims for its key, by an advisory lock, which a crashed attempt does not keep: it either committed its reply with its
 * effect, or had no effect.
 */
export function claimOf(principal: Principal, { key }: IdempotentRequest): string {
  return `${actorOf(principal).id} ${key}`;
}

/** The lock that a key or a user takes when it is admitted to write. */
const tryClaim = statement("select pg_try_advisory_xact_lock(hashtextextended($1, 2)) as free");

/** Takes the lock of what the service itself claims, such as for a command of the operator's shell: nobody admits it. */
export async function claimAlone(tx: Queryable, claim: string | null): Promise<Admission> {
  const [lock] = claim === null ? [{ free: true }] : await tx.query<{ free: boolean }>(tryClaim, [claim]);
  return { free: lock?.free === true, narrowed_version: 0 };
}

/**
 * Lets a request run whose caller is admitted and has no reply yet. A caller that has lost a right since, and for a reply with a secret another
 * secret of the key or another session of the user, could perhaps not make the request now, so the reply is withheld.
 */
export async function requireNew(
  tx: Sender,
  sealer: Sealer,
  principal: Principal,
  request: IdempotentRequest,
  admitted: Promise<Admission>,
): Promise<void> {
  const owner = actorOf(principal).id;
  const { partner_id } = tenantScope(principal);
  if (tx.assuming) {
    tx.confirm(noReply, [partner_id, owner, request.key]);
    return refuseTaken(await admitted);
  }
  const values = [partner_id, owner, request.key, credentialOf(principal).hash];
  const [admission, found] = await Promise.allSettled([admitted, tx.query<ReplyRow>(storedReply, values)]);
  // A stored reply is only for a caller that is admitted, so its refusal comes first.
  if (admission.status === "rejected") throw admission.reason;
  if (found.status === "rejected") throw found.reason;
  const [stored] = found.value;
  refuseTaken(admission.value);
  if (stored === undefined) return;
  if (!stored.fingerprint.equals(request.fingerprint)) fail("idempotency_key_reused");
  if (stored.key_version < admission.value.narrowed_version || stored.of_other_secret) fail("reply_withheld");
  const body =
    stored.body === null ? null : stored.sealed ? sealer.open(stored.body, sealPurpose(owner, request)) : stored.body.toString();
  throw new Replay({ status: stored.status, headers: stored.headers, body });
}

function refuseTaken({ free }: Admission): void {
  if (!free) fail("idempotency_key_in_progress", { headers: { "retry-after": "1" } });
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
