import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

const activeStatement = statement(`
  select k.id from keys k
  where k.partner_id is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > $1)
  order by k.id for update`);

/** The ids of active operator keys, locked so that of two concurrent revocations the second sees the first. */
export async function activeOperatorKeysForUpdate(tx: Tx): Promise<string[]> {
  return (await tx.query<{ id: string }>(activeStatement, [tx.now])).map(({ id }) => id);
}

const revokeStatement = statement(`
  update keys set revoked_at = $2, version = version + 1
  where partner_id is null and id = $1 and revoked_at is null
  returning id`);

/** Revokes an operator key; false if it was revoked already. */
export async function saveOperatorRevocation(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query(revokeStatement, [id, tx.now])).length > 0;
}
