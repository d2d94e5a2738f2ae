import { listIdentity } from "../../../kernel/page.ts";
import { boundClients, type ClientAccess, type TenantScope } from "../../../kernel/principal.ts";
import type { Scope } from "../../../kernel/scopes.ts";
import { assignments, columnsOf, insertValues, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import { type KeyListQuery, Key as KeySchema } from "./schema.ts";

const KEY_JSON = rowJson(KeySchema, {
  clients: "coalesce(to_json(c.clients), to_json('all'::text))",
  allowed_cidrs: "c.allowed_cidrs::text[]",
  previous_valid_until: "wire_time(c.previous_hash_until)",
});

/** The last use is part of the representation but changes no version, so the ETag includes it. */
const KEY_ETAG = "c.version || coalesce('-' || (extract(epoch from c.last_used_at) * 1000)::bigint, '')";

const KEY = `${columnsOf("c", ["id", "version", "name", "hint", "scopes", "clients", "expires_at", "previous_hash_until", "revoked_at"])},
    c.allowed_cidrs::text[] as allowed_cidrs, ${KEY_ETAG} as etag, ${KEY_JSON} as json`;

/** A key that is bound to clients sees only keys that are bound to a subset of them. */
const VISIBLE = "c.partner_id = $1 and ($2::text[] is null or c.clients <@ $2)";

/** What a caller may write of a key: the columns of both statements that write it, and what its audit entries compare. */
export const KEY_FIELDS = ["name", "scopes", "clients", "expires_at", "allowed_cidrs"] as const satisfies (keyof Key)[];

/** The row of a key, with the JSON that the API shows of it. */
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

/** The column is null for access to all clients. */
const clientsOf = ({ clients }: { clients: ClientAccess }) => (clients === "all" ? null : clients);

const keyById = statement(`select ${KEY} from keys c where ${VISIBLE} and c.id = $3`);

export async function keyOrNull(db: Queryable, scope: TenantScope, id: string): Promise<Key | null> {
  const [row] = await db.query<KeyRow>(keyById, [scope.partner_id, boundClients(scope), id]);
  return row === undefined ? null : keyOf(row);
}

const lockKey = statement(`select ${KEY} from keys c where ${VISIBLE} and c.id = $3 for no key update`);

/** One key within the caller's scope, locked until the transaction ends. */
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
      select 1 from unnest($2::cidr[]) as requested (network) where not requested.network <<= any (c.allowed_cidrs)) as contains
  from keys c where c.id = $1`);

export type KeyLimits = { expires_at: Date | null; allowed_cidrs: string[] | null };

/** The limits of the calling key, and whether its networks contain all of some others. */
export async function ownLimits(tx: Queryable, key_id: string, cidrs: readonly string[]) {
  const [row] = await tx.query<KeyLimits & { contains: boolean }>(limitsStatement, [key_id, cidrs]);
  return row ?? { expires_at: null, allowed_cidrs: null, contains: true };
}

const INSERTED = ["id", "partner_id", "hash", "hint", ...KEY_FIELDS, "created_by", "created_at"] as const;

const insertStatement = statement(`
  with c as (insert into keys ${insertValues(INSERTED)} returning *)
  select ${KEY} from c`);

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
  const row = { expires_at: null, allowed_cidrs: null, ...key, id: tx.newId("key"), created_at: tx.now };
  return saved(await tx.query<KeyRow>(insertStatement, valuesOf({ ...row, clients: clientsOf(key) }, INSERTED)));
}

const updateStatement = statement(`
  with c as (
    update keys set ${assignments(KEY_FIELDS, 3)}, version = version + 1,
      narrowed_version = case when $${KEY_FIELDS.length + 3} then version + 1 else narrowed_version end
    where partner_id = $1 and id = $2
    returning *
  )
  select ${KEY} from c`);

/** Saves the fields of a key that was locked before, and whether it loses a right by them. */
export async function updateFields(tx: Tx, scope: TenantScope, key: Key, narrows: boolean): Promise<Key> {
  const values = [scope.partner_id, key.id, ...valuesOf({ ...key, clients: clientsOf(key) }, KEY_FIELDS), narrows];
  return saved(await tx.query<KeyRow>(updateStatement, values));
}

const rotateStatement = statement(`
  with c as (
    update keys set previous_hash = case when $5::timestamptz is not null then hash end, previous_hash_until = $5,
      hash = $3, hint = $4, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${KEY} from c`);

/** Replaces the secret of a key that was locked before; the previous one stays valid until a time, or not at all. */
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

/** Revokes a key; false if it was revoked already. */
export async function saveRevocation(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(revokeStatement, [scope.partner_id, id, tx.now])).length > 0;
}

const usesStatement = statement(`
  update keys c set last_used_at = u.at
  from unnest($1::text[], $2::timestamptz[]) as u (id, at)
  where c.id = u.id and (c.last_used_at is null or c.last_used_at < u.at)`);

/** Saves when keys were last used. Never backwards, because processes flush in no order. */
export async function saveUses(db: Queryable, uses: ReadonlyMap<string, Date>): Promise<void> {
  await db.query(usesStatement, [[...uses.keys()], [...uses.values()]]);
}
