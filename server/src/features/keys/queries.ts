import { boundClients, type ClientAccess, type KeyPrincipal, type TenantScope } from "../../kernel/principal.ts";
import type { Scope } from "../../kernel/scopes.ts";
import { type Queryable, statement } from "../../platform/db/statement.ts";
import type { FindKeys } from "../../platform/http/key-lookup.ts";
import type { Tx } from "../../platform/record/context.ts";

const KEY_JSON = `(select row_to_json(x)::text from (select
    k.id, k.name, k.hint, k.scopes, coalesce(to_json(k.clients), to_json('all'::text)) as clients,
    k.created_by, wire_time(k.created_at) as created_at, wire_time(k.revoked_at) as revoked_at, k.version) x)`;

/** A key bound to some clients sees the keys that are bound to no others. */
const VISIBLE = "k.partner_id = $1 and ($2::text[] is null or k.clients <@ $2)";

const livingKeys = statement(`
  select encode(k.hash, 'hex') as hash, k.id as key_id, k.partner_id, array_to_string(k.scopes, ' ') as scopes, k.clients,
    p.company, p.grade, p.status = 'active' as partner_active
  from keys k join partners p on p.id = k.partner_id
  where k.hash = any ($1) and k.revoked_at is null`);

type KeyRow = Omit<KeyPrincipal, "type" | "scopes" | "clients"> & { hash: string; scopes: string; clients: string[] | null };

/** The living keys among some hashes: revoked ones are not there. */
export function findKeys(db: Queryable): FindKeys {
  return async (hashes) => {
    const rows = await db.query<KeyRow>(livingKeys, [hashes]);
    return new Map(
      rows.map(({ hash, scopes, clients, ...row }) => [
        hash,
        { type: "key", ...row, scopes: new Set(scopes.split(" ") as Scope[]), clients: clients ?? "all" },
      ]),
    );
  };
}

const keyById = statement(`select k.id, k.version, ${KEY_JSON} as json from keys k where ${VISIBLE} and k.id = $3`);

export async function keyOrNull(db: Queryable, scope: TenantScope, id: string) {
  const [row] = await db.query<{ id: string; version: number; json: string }>(keyById, [
    scope.partner_id,
    boundClients(scope),
    id,
  ]);
  return row ?? null;
}

const keysStatement = statement(`
  select k.id, ${KEY_JSON} as json from keys k
  where ${VISIBLE} and ($3::text is null or k.id < $3)
  order by k.id desc limit $4`);

export function keysPage(db: Queryable, scope: TenantScope, after: string | null, limit: number) {
  return db.query<{ id: string; json: string }>(keysStatement, [scope.partner_id, boundClients(scope), after, limit + 1]);
}

const unknownStatement = statement(`
  select w.id from unnest($2::text[]) as w (id)
  where not exists (select 1 from clients c where c.partner_id = $1 and c.id = w.id and ($3::text[] is null or c.id = any ($3)))`);

/** Those of some client ids that the caller does not have. */
export async function unknownClients(db: Queryable, scope: TenantScope, ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(unknownStatement, [scope.partner_id, ids, boundClients(scope)]);
  return rows.map(({ id }) => id);
}

const insertStatement = statement(`
  with k as (
    insert into keys (id, partner_id, name, hash, hint, scopes, clients, created_by, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    returning *
  )
  select k.id, k.version, ${KEY_JSON} as json from k`);

export type NewKey = {
  partner_id: string | null;
  name: string;
  hash: Buffer;
  hint: string;
  scopes: readonly Scope[];
  clients: ClientAccess;
  created_by: string;
};

export async function insertKey(tx: Tx, key: NewKey): Promise<{ id: string; version: number; json: string }> {
  const clients = key.clients === "all" ? null : key.clients;
  const values = [tx.newId("key"), key.partner_id, key.name, key.hash, key.hint, key.scopes, clients, key.created_by, tx.now];
  const [row] = await tx.query<{ id: string; version: number; json: string }>(insertStatement, values);
  if (row === undefined) throw new Error("the key was not inserted");
  return row;
}

const revokeStatement = statement(`
  update keys set revoked_at = $3, version = version + 1
  where partner_id = $1 and id = $2 and revoked_at is null
  returning id`);

/** Revokes a key; false when it was revoked before. */
export async function saveRevocation(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(revokeStatement, [scope.partner_id, id, tx.now])).length > 0;
}
