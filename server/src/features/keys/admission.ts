import { fail } from "../../kernel/errors.ts";
import { type Queryable, statement } from "../../platform/db/statement.ts";

/**
 * Shared by every write of a key and taken alone by its revocation, which so waits for the writes under way and holds
 * back the next. A lock of its own, because sharing the key's row would dirty that row with every write.
 */
const shareKey = statement("select pg_advisory_xact_lock_shared(hashtextextended($1, 1))");
const ownKey = statement("select pg_advisory_xact_lock(hashtextextended($1, 1))");

/** A statement after the lock, not the same one, so that it sees what the revocation committed. */
const livingKey = statement(`
  select p.status
  from keys k join partners p on p.id = k.partner_id
  where k.id = $1 and k.revoked_at is null`);

/** Admits a key to write in this transaction: a key that is revoked meanwhile commits nothing. */
export async function admitWriter(tx: Queryable, key_id: string): Promise<void> {
  const [, [key]] = await Promise.all([tx.query(shareKey, [key_id]), tx.query<{ status: string }>(livingKey, [key_id])]);
  if (key === undefined) fail("invalid_credentials");
  if (key.status !== "active") fail("partner_suspended");
}

/** Waits until no write of the key is under way and lets none begin before this transaction ends. */
export async function excludeWriters(tx: Queryable, key_id: string): Promise<void> {
  await tx.query(ownKey, [key_id]);
}
