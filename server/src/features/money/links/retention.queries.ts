import { type Queryable, statement } from "../../../platform/db/statement.ts";

const dropSaltsStatement = statement("delete from click_salts where day < $1 returning day");

/** Deletes the salts before a day. */
export async function dropSalts(db: Queryable, before: string): Promise<number> {
  return (await db.query(dropSaltsStatement, [before])).length;
}

const BATCH = 5_000;

const oldVisitorsStatement = statement(`
  -- all partners: once a day
  select distinct v.partner_id, to_char(v.day, 'YYYY-MM-DD') as day from link_visitors v where v.day < $1`);

const dropVisitorsStatement = statement(`
  delete from link_visitors v
  using (select o.link_id, o.visitor from link_visitors o where o.partner_id = $1 and o.day = $2 limit $3) o
  where v.partner_id = $1 and v.day = $2 and v.link_id = o.link_id and v.visitor = o.visitor
  returning 1`);

/** Deletes the visitors before a day. */
export async function dropVisitors(db: Queryable, before: string): Promise<number> {
  let dropped = 0;
  const days = await db.query<{ partner_id: string; day: string }>(oldVisitorsStatement, [before]);
  for (const { partner_id, day } of days) {
    for (let batch = BATCH; batch === BATCH; dropped += batch) {
      batch = (await db.query(dropVisitorsStatement, [partner_id, day, BATCH])).length;
    }
  }
  return dropped;
}
