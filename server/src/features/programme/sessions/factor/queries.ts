import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Tx } from "../../../../platform/record/tx.ts";

const startStatement = statement(`
  insert into second_factors as f (user_id, secret, created_at) values ($1, $2, $3)
  on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at where f.confirmed_at is null
  returning f.user_id`);

/** Keeps a secret that waits for its first code. False if a factor is active already. */
export async function savePending(tx: Tx, user_id: string, secret: Buffer): Promise<boolean> {
  return (await tx.query(startStatement, [user_id, secret, tx.now])).length > 0;
}

const lockStatement = statement(`
  select secret, confirmed_at is not null as active, last_step::float8 as last_step, recovery_codes
  from second_factors where user_id = $1
  for update`);

export type FactorRow = { secret: Buffer; active: boolean; last_step: number; recovery_codes: Buffer[] };

/** Locked, so that of two requests with the same code the second sees what the first has used. */
export async function factorForUpdateOrNull(tx: Queryable, user_id: string): Promise<FactorRow | null> {
  return (await tx.query<FactorRow>(lockStatement, [user_id]))[0] ?? null;
}

const saveStatement = statement(`
  update second_factors set confirmed_at = coalesce(confirmed_at, $2), last_step = $3, recovery_codes = $4::bytea[] where user_id = $1`);

/** Saves what was used, or replaced, of a factor that was locked before. It is active from then on. */
export async function saveFactor(
  tx: Tx,
  user_id: string,
  { last_step, recovery_codes }: { last_step: number; recovery_codes: readonly Buffer[] },
): Promise<void> {
  await tx.query(saveStatement, [user_id, tx.now, last_step, recovery_codes]);
}

const deleteStatement = statement("delete from second_factors where user_id = $1 returning user_id");

export async function deleteFactor(tx: Tx, user_id: string): Promise<boolean> {
  return (await tx.query(deleteStatement, [user_id])).length > 0;
}
