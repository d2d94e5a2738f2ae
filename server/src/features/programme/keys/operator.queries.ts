import { statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";

const livingStatement = statement(`
  select k.id from keys k
  where k.partner_id is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > $1)
  order by k.id for update`);

/** The operator's living keys, held so that of two revocations at once one sees the other. */
export async function livingOperatorKeysForUpdate(tx: Tx): Promise<string[]> {
  return (await tx.query<{ id: string }>(livingStatement, [tx.now])).map(({ id }) => id);
}

const revokeStatement = statement(`
  update keys set revoked_at = $2, version = version + 1
  where partner_id is null and id = $1 and revoked_at is null
  returning id`);

/** Revokes a key of the operator's; false when it was revoked before. */
export async function saveOperatorRevocation(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query(revokeStatement, [id, tx.now])).length > 0;
}
