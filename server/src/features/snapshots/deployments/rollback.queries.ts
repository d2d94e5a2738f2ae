import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { PlacedConflict, StoredInstall } from "./model.ts";
import type { Changed } from "./plan/model.ts";

/** What a rollback needs of a deployment. `changed` and `previous` are kept as long as it can be rolled back. */
export type Revertible = {
  id: string;
  client_id: string;
  snapshot_id: string;
  version: number;
  rollout_id: string | null;
  status: string;
  plan_hash: string | null;
  changed: Changed | null;
  previous: StoredInstall | null;
  finished_at: Date | null;
};

const revertibleStatement = statement(`
  select d.id, d.client_id, d.snapshot_id, d.snapshot_version as version, d.rollout_id, d.status, d.plan_hash, d.changed, d.previous, d.finished_at
  from deployments d where d.partner_id = $1 and d.id = any ($2)`);

export async function revertiblesOf(db: Queryable, partner_id: string, ids: readonly string[]): Promise<Map<string, Revertible>> {
  const rows = await db.query<Revertible>(revertibleStatement, [partner_id, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

const saveStatement = statement(`
  update deployments d set status = 'rolled_back', conflicts = v.conflicts::jsonb, finished_at = $4, attempts = 0, version = d.version + 1
  from unnest($2::text[], $3::text[]) as v (id, conflicts)
  where d.partner_id = $1 and d.id = v.id`);

/** Saves that deployments were rolled back, with what was left as the clients have it. */
export async function saveRolledBack(
  tx: Tx,
  partner_id: string,
  rows: readonly { id: string; conflicts: readonly PlacedConflict[] }[],
): Promise<void> {
  const conflicts = rows.map((row) => JSON.stringify(row.conflicts));
  await tx.query(saveStatement, [partner_id, rows.map(({ id }) => id), conflicts, tx.now]);
}

const lockStatement = statement(`
  select d.client_id from deployments d
  where d.partner_id = $1 and d.id = $2 and ($3::text[] is null or d.client_id = any ($3))
  for no key update`);

/** The account of a deployment, which is locked until the transaction ends. */
export async function clientOfLocked(
  tx: Tx,
  partner_id: string,
  id: string,
  clients: readonly string[] | null,
): Promise<string | null> {
  const [row] = await tx.query<{ client_id: string }>(lockStatement, [partner_id, id, clients]);
  return row?.client_id ?? null;
}
