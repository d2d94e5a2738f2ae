import { boundClients, type TenantScope } from "../../../kernel/principal.ts";
import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

type Retriable = { client_id: string; snapshot_id: string; version: number; rollout_id: string | null; status: string };

const lockStatement = statement(`
  select d.client_id, d.snapshot_id, d.snapshot_version as version, d.rollout_id, d.status from deployments d
  where d.partner_id = $1 and d.id = $2 and ($3::text[] is null or d.client_id = any ($3)) for update`);

/** A deployment within the caller's scope, locked. */
export async function retriableOrNull(tx: Tx, scope: TenantScope, id: string): Promise<Retriable | null> {
  return (await tx.query<Retriable>(lockStatement, [scope.partner_id, id, boundClients(scope)]))[0] ?? null;
}

const requeueStatement = statement(`
  update deployments d set status = 'queued', failure = null, attempts = 0, finished_at = null, version = d.version + 1
  where d.partner_id = $1 and d.id = $2`);

/** Queues a locked deployment again. */
export async function requeueDeployment(tx: Tx, partner_id: string, id: string): Promise<void> {
  await tx.query(requeueStatement, [partner_id, id]);
}
