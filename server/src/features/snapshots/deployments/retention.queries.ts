import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { USE_NOTED_MS } from "./queries.ts";

const earlierStatement = statement("select least($1::timestamptz, now()) as now");

/** The earlier of our time and the database's: a clock that is ahead must not delete anything too early. */
export async function earlierTime(db: Queryable, now: Date): Promise<Date> {
  return (await db.query<{ now: Date }>(earlierStatement, [now]))[0]?.now ?? now;
}

const partnersStatement = statement("select p.id from partners p where p.id > $1 order by p.id limit 1000");

/** The partners after one, in the order of their ids. */
export async function partnersAfter(db: Queryable, id: string): Promise<string[]> {
  return (await db.query<{ id: string }>(partnersStatement, [id])).map((partner) => partner.id);
}

const plansStatement = statement("delete from snapshot_plans p where p.partner_id = $1 and p.used_at < $2 returning p.hash");

const deploymentsStatement = statement(`
  update deployments d set changed = null, previous = null
  where d.partner_id = $1 and d.finished_at < $2 and d.changed is not null`);

/** Deletes the plans of a partner that were last used before a time, and what deployments of that time keep. Returns how many plans. */
export async function forgetBefore(db: Queryable, partner_id: string, before: Date): Promise<number> {
  await db.query(deploymentsStatement, [partner_id, before]);
  return (await db.query(plansStatement, [partner_id, new Date(before.getTime() - USE_NOTED_MS)])).length;
}
