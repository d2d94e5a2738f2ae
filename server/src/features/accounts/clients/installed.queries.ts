import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { ClientSnapshot } from "./model.ts";

export type AccountStatus = { id: string; status: string; house: boolean };

const accountsWhere = (lock: string) =>
  statement(`
  select c.id, c.status, c.house from clients c
  where c.partner_id = $1 and c.id = any ($2) and ($3::text[] is null or c.id = any ($3))
  order by c.id ${lock}`);
const accountsStatement = accountsWhere("");
const lockStatement = accountsWhere("for no key update");

/** Those of some accounts that are within the caller's scope. */
export function accountsWithin(db: Queryable, scope: TenantScope, ids: readonly string[]): Promise<AccountStatus[]> {
  return db.query(accountsStatement, [scope.partner_id, ids, boundClients(scope)]);
}

/**
 * Locks accounts against every other writer, in the order of their ids: it waits for those that share them, and holds back the next. What
 * is read after it stays as it is until the transaction ends.
 */
export function lockAccounts(tx: Queryable, scope: TenantScope, ids: readonly string[]): Promise<AccountStatus[]> {
  return tx.query(lockStatement, [scope.partner_id, ids, boundClients(scope)]);
}

const saveStatement = statement(`
  update clients c set snapshots = jsonb_path_query_array(c.snapshots, '$[*] ? (@.snapshot_id != $id)', $2::jsonb) || v.snapshot::jsonb,
    version = c.version + 1
  from unnest($3::text[], $4::text[]) as v (id, snapshot)
  where c.partner_id = $1 and c.id = v.id
  returning c.id, c.version`);

/**
 * Saves which version of a snapshot locked accounts run, or that they no longer do. `updated_at` stays, so that no index has to change.
 * Returns the versions of the accounts.
 */
export async function saveInstalled(
  tx: Tx,
  partner_id: string,
  snapshot_id: string,
  accounts: readonly { id: string; snapshot: ClientSnapshot | null }[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: string; version: number }>(saveStatement, [
    partner_id,
    JSON.stringify({ id: snapshot_id }),
    accounts.map(({ id }) => id),
    accounts.map(({ snapshot }) => JSON.stringify(snapshot === null ? [] : [snapshot])),
  ]);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

const forgetStatement = statement(`
  update clients c set version = c.version + 1,
    snapshots = jsonb_path_query_array(c.snapshots, '$[*] ? (@.snapshot_id != $id || @.status != "queued")', $3::jsonb)
  where c.partner_id = $1 and c.id = $2 and c.snapshots @> $4::jsonb`);

/** Saves that a locked account no longer waits for a snapshot. What runs there stays. */
export async function forgetQueued(tx: Tx, partner_id: string, id: string, snapshot_id: string): Promise<void> {
  const queued = [{ snapshot_id, status: "queued" }];
  await tx.query(forgetStatement, [partner_id, id, JSON.stringify({ id: snapshot_id }), JSON.stringify(queued)]);
}

const queueStatement = statement(`
  update clients c set version = c.version + 1, snapshots = c.snapshots || $3::jsonb
  where c.partner_id = $1 and c.id = $2 and not c.snapshots @> $4::jsonb`);

/** Saves that a locked account waits for a snapshot, unless it has one of its versions. */
export async function saveQueued(tx: Tx, partner_id: string, id: string, snapshot: ClientSnapshot): Promise<void> {
  const { snapshot_id } = snapshot;
  await tx.query(queueStatement, [partner_id, id, JSON.stringify([snapshot]), JSON.stringify([{ snapshot_id }])]);
}
