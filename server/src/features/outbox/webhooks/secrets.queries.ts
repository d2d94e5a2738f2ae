import type { TenantScope } from "../../../kernel/principal.ts";
import { secretPurpose } from "../../../platform/crypto/webhook-signature.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

export const LIVE_MAX = 3;
/** Ended secrets are kept for a while, so that a signature made with one can be told from a forged one. */
const KEPT_MAX = 10;

/** A later one always has a later time, because that is what orders them. */
const insertStatement = statement(`
  insert into webhook_secrets (partner_id, endpoint_id, secret, hint, created_at) values ($1, $2, $3, $4, $5)`);

const latestStatement = statement(`
  select s.created_at from webhook_secrets s where s.partner_id = $1 and s.endpoint_id = $2 order by s.created_at desc limit 1`);

export type SealedSecret = { secret: Buffer; hint: string };

export async function insertSecret(tx: Tx, scope: TenantScope, endpoint_id: string, { secret, hint }: SealedSecret) {
  const [latest] = await tx.query<{ created_at: Date }>(latestStatement, [scope.partner_id, endpoint_id]);
  const created_at = new Date(Math.max(tx.now.getTime(), (latest?.created_at.getTime() ?? 0) + 1));
  await tx.query(insertStatement, [scope.partner_id, endpoint_id, secret, hint, created_at]);
}

const endStatement = statement(`
  with kept as (
    select s.created_at, row_number() over (order by s.created_at desc) as place
    from webhook_secrets s
    where s.partner_id = $1 and s.endpoint_id = $2
  ), forgotten as (
    delete from webhook_secrets s using kept k
    where s.partner_id = $1 and s.endpoint_id = $2 and s.created_at = k.created_at and k.place >= ${KEPT_MAX}
  )
  update webhook_secrets s
  set expires_at = case when k.place < ${LIVE_MAX} then least(coalesce(s.expires_at, 'infinity'), $4::timestamptz) else $3::timestamptz end
  from kept k
  where s.partner_id = $1 and s.endpoint_id = $2 and s.created_at = k.created_at and k.place < ${KEPT_MAX}
    and (s.expires_at is null or s.expires_at > $3)`);

const touchStatement = statement(`
  update webhook_endpoints set updated_at = $3, version = version + 1 where partner_id = $1 and id = $2`);

/** Gives the secrets of a locked endpoint their end; the oldest, where a new one would be one too many, end at once. */
export async function endSecrets(tx: Tx, scope: TenantScope, endpoint_id: string, until: Date): Promise<void> {
  await Promise.all([
    tx.query(endStatement, [scope.partner_id, endpoint_id, tx.now, until]),
    tx.query(touchStatement, [scope.partner_id, endpoint_id, tx.now]),
  ]);
}

export type StoredSecret = { endpoint_id: string; secret: Buffer; hint: string; created_at: Date; expires_at: Date | null };

const secretsStatement = statement(`
  select s.endpoint_id, s.secret, s.hint, s.created_at, s.expires_at
  from webhook_secrets s join webhook_endpoints w on w.partner_id = $1 and w.id = s.endpoint_id
  where s.partner_id = $1 and ($2::text[] is null or w.client_ids <@ $2)
  order by s.endpoint_id desc, s.created_at desc`);

/** The secrets of all endpoints that the caller may see, the ended ones among them. */
export function storedSecrets(db: Queryable, scope: TenantScope): Promise<StoredSecret[]> {
  return db.query<StoredSecret>(secretsStatement, [scope.partner_id, scope.clients === "all" ? null : scope.clients]);
}

const anySecret = statement(`
  -- all partners: for doctor, run by hand
  select endpoint_id, secret from webhook_secrets order by created_at desc limit 1`);

/** A sealed secret and what it was sealed for, to see whether the key still opens it. */
export async function sealedSecretOrNull(db: Queryable): Promise<{ sealed: Buffer; purpose: string } | null> {
  const [row] = await db.query<{ endpoint_id: string; secret: Buffer }>(anySecret);
  return row === undefined ? null : { sealed: row.secret, purpose: secretPurpose(row.endpoint_id) };
}
