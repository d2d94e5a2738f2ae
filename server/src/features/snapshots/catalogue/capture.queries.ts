import type { TenantScope } from "../../../kernel/principal.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { Source } from "./capture.model.ts";

const lockStatement = statement("select 1 from clients c where c.partner_id = $1 and c.id = $2 for no key update");

/** Locks an account, so that what is read of it belongs together: every write into it shares a lock of the row. False if there is none. */
export async function lockAccount(tx: Tx, { partner_id }: TenantScope, id: string): Promise<boolean> {
  return (await tx.query(lockStatement, [partner_id, id])).length > 0;
}

const sourcesStatement = statement(`
  select s.type, s.key, s.record_id from snapshot_sources s
  where s.partner_id = $1 and s.snapshot_id = $2 and s.account_id = $3`);

export function sourcesOf(db: Queryable, { partner_id }: TenantScope, snapshot_id: string, account_id: string) {
  return db.query<Source>(sourcesStatement, [partner_id, snapshot_id, account_id]);
}

const saveStatement = statement(`
  insert into snapshot_sources (partner_id, snapshot_id, account_id, type, key, record_id)
  select $1, $2, $3, s.type, s.key, s.record_id from json_to_recordset($4::json) as s(type text, key text, record_id text)
  on conflict (partner_id, snapshot_id, account_id, type, key) do update set record_id = excluded.record_id`);

/** Keeps where the assets of a capture came from. Those of earlier captures stay: a record may come back. */
export async function saveSources(
  tx: Tx,
  { partner_id }: TenantScope,
  snapshot_id: string,
  account_id: string,
  sources: readonly Source[],
): Promise<void> {
  await tx.query(saveStatement, [partner_id, snapshot_id, account_id, JSON.stringify(sources)]);
}
