import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type ClientAccess, type TenantScope } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { KeyListQuery } from "./schema.ts";

const KEY_JSON = `(select row_to_json(x)::text from (select
    c.id, c.name, c.hint, c.scopes, coalesce(to_json(c.clients), to_json('all'::text)) as clients,
    wire_time(c.expires_at) as expires_at, c.allowed_cidrs::text[] as allowed_cidrs,
    wire_time(c.previous_hash_until) as previous_valid_until, wire_time(c.last_used_at) as last_used_at,
    c.created_by, wire_time(c.created_at) as created_at, wire_time(c.revoked_at) as revoked_at, c.version) x)`;

/** Its use does not change its version, but shows: the ETag has both. */
const KEY_ETAG = "c.version || coalesce('-' || (extract(epoch from c.last_used_at) * 1000)::bigint, '')";

const KEY_COLUMNS = `c.id, c.version, c.name, c.hint, c.scopes, c.clients, c.expires_at, c.allowed_cidrs::text[] as allowed_cidrs,
    c.previous_hash_until, c.revoked_at, ${KEY_ETAG} as etag, ${KEY_JSON} as json`;

/** A key bound to some clients sees the keys that are bound to no others. */
const VISIBLE = "c.partner_id = $1 and ($2::text[] is null or c.clients <@ $2)";

/** A key as its row is read, with the JSON that the API shows of it. */
export type Key = {
  id: string;
  version: number;
  name: string;
  hint: string;
  scopes: Scope[];
  clients: ClientAccess;
  expires_at: Date | null;
  allowed_cidrs: string[] | null;
  previous_hash_until: Date | null;
  revoked_at: Date | null;
  etag: string;
  json: string;
};

type KeyRow = Omit<Key, "clients"> & { clients: string[] | null };

const keyOf = (row: KeyRow): Key => ({ ...row, clients: row.clients ?? "all" });

const keyById = statement(`select ${KEY_COLUMNS} from keys c where ${VISIBLE} and c.id = $3`);

export async function keyOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Key | null> {
  const [row] = await db.query<KeyRow>(keyById, [scope.partner_id, boundClients(scope), id]);
  return row === undefined ? null : keyOf(row);
}

const lockKey = statement(`select ${KEY_COLUMNS} from keys c where ${VISIBLE} and c.id = $3 for no key update`);

/** One key that the caller may see, locked until the transaction ends. */
export async function keyForUpdateOrNull(tx: Queryable, scope: TenantScope, id: string): Promise<Key | null> {
  const [row] = await tx.query<KeyRow>(lockKey, [scope.partner_id, boundClients(scope), id]);
  return row === undefined ? null : keyOf(row);
}

export function keysPage(db: Queryable, scope: TenantScope, query: KeyListQuery): Promise<{ json: string }> {
  const bound = boundClients(scope);
  return keysetPage(
    db,
    scope.partner_id,
    {
      list: listIdentity("keys", {}),
      table: "keys",
      json: KEY_JSON,
      sort: byCreation(true),
      conditions: (place) => (bound === null ? [] : [`c.clients <@ ${place(bound)}`]),
    },
    query,
  );
}

const limitsStatement = statement(`
  select c.expires_at, c.allowed_cidrs::text[] as allowed_cidrs,
    c.allowed_cidrs is null or not exists (
      select 1 from unnest($2::cidr[]) as asked (network) where not asked.network <<= any (c.allowed_cidrs)) as contains
  from keys c where c.id = $1`);

export type KeyLimits = { expires_at: Date | null; allowed_cidrs: string[] | null };

/** The limits of the calling key itself, and whether its networks contain all of some others. */
export async function ownLimits(tx: Queryable, key_id: string, cidrs: readonly string[]) {
  const [row] = await tx.query<KeyLimits & { contains: boolean }>(limitsStatement, [key_id, cidrs]);
  return row ?? { expires_at: null, allowed_cidrs: null, contains: true };
}

const insertStatement = statement(`
  with c as (
    insert into keys (id, partner_id, name, hash, hint, scopes, clients, expires_at, allowed_cidrs, created_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    returning *
  )
  select ${KEY_COLUMNS} from c`);

export type NewKey = {
  partner_id: string | null;
  name: string;
  hash: Buffer;
  hint: string;
  scopes: readonly Scope[];
  clients: ClientAccess;
  created_by: string;
} & Partial<KeyLimits>;

export async function insertKey(tx: Tx, key: NewKey): Promise<Key> {
  const { partner_id, name, hash, hint, scopes, clients, expires_at = null, allowed_cidrs = null, created_by } = key;
  const bound = clients === "all" ? null : clients;
  const values = [tx.newId("key"), partner_id, name, hash, hint, scopes, bound, expires_at, allowed_cidrs, created_by, tx.now];
  return saved(await tx.query<KeyRow>(insertStatement, values));
}

const updateStatement = statement(`
  with c as (
    update keys set name = $3, scopes = $4, clients = $5, expires_at = $6, allowed_cidrs = $7, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${KEY_COLUMNS} from c`);

/** Saves the fields of a key that was locked before. */
export async function saveFields(tx: Tx, scope: TenantScope, key: Key): Promise<Key> {
  const { id, name, scopes, clients, expires_at, allowed_cidrs } = key;
  const values = [scope.partner_id, id, name, scopes, clients === "all" ? null : clients, expires_at, allowed_cidrs];
  return saved(await tx.query<KeyRow>(updateStatement, values));
}

const rotateStatement = statement(`
  with c as (
    update keys set previous_hash = case when $5::timestamptz is not null then hash end, previous_hash_until = $5,
      hash = $3, hint = $4, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${KEY_COLUMNS} from c`);

/** Gives a key that was locked before another secret; the one it had is good until a time, or no longer. */
export async function saveSecret(
  tx: Tx,
  scope: TenantScope,
  id: string,
  secret: { hash: Buffer; hint: string; previous_until: Date | null },
): Promise<Key> {
  const values = [scope.partner_id, id, secret.hash, secret.hint, secret.previous_until];
  return saved(await tx.query<KeyRow>(rotateStatement, values));
}

function saved([row]: KeyRow[]): Key {
  if (row === undefined) throw new Error("the key was not saved");
  return keyOf(row);
}

const revokeStatement = statement(`
  update keys set revoked_at = $3, version = version + 1
  where partner_id = $1 and id = $2 and revoked_at is null
  returning id`);

/** Revokes a key; false when it was revoked before. */
export async function saveRevocation(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(revokeStatement, [scope.partner_id, id, tx.now])).length > 0;
}

const usesStatement = statement(`
  update keys c set last_used_at = u.at
  from unnest($1::text[], $2::timestamptz[]) as u (id, at)
  where c.id = u.id and (c.last_used_at is null or c.last_used_at < u.at)`);

/** When keys were last used. Never backwards: processes write what they saw in no order. */
export async function saveUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(usesStatement, [[...uses.keys()], [...uses.values()]]);
}
