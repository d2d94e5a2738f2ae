import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import { type DayCount, dayOf, type LastClick, type StoredClick } from "./clicks.model.ts";

const addSaltStatement = statement("insert into click_salts (day, salt) values ($1, $2) on conflict do nothing");
const saltStatement = statement("select encode(s.salt, 'hex') as salt from click_salts s where s.day = $1");

/** The salt of a day in hexadecimal: of several that are offered at once, the first. */
export async function saltOf(db: Queryable, day: string, offered: Buffer): Promise<string> {
  await db.query(addSaltStatement, [day, offered]);
  const [row] = await db.query<{ salt: string }>(saltStatement, [day]);
  if (row === undefined) throw new Error(`the salt of ${day} is missing`);
  return row.salt;
}

/** Each by one read of its key, however many visitors the day has: that is what an arbiter of a conflict is for, whatever the statistics say. */
const noteVisitorsStatement = statement(`
  insert into link_visitors as v (partner_id, day, link_id, visitor, last_id)
  select $1, n.day, n.link_id, decode(n.visitor, 'hex'), n.id
  from unnest($2::date[], $3::text[], $4::text[], $5::text[]) as n (day, link_id, visitor, id)
  on conflict (partner_id, day, link_id, visitor) do update set before_id = v.last_id, last_id = greatest(v.last_id, excluded.last_id)
  returning v.link_id, encode(v.visitor, 'hex') as visitor, v.before_id as id`);

/** Notes the last clicks of visitors, and returns those that were the last before. Nobody stores clicks of the partner meanwhile. */
export async function noteVisitors(tx: Queryable, partner_id: string, last: readonly LastClick[]): Promise<LastClick[]> {
  const values = [
    last.map(({ id }) => dayOf(id)),
    ...(["link_id", "visitor", "id"] as const).map((name) => last.map((click) => click[name])),
  ];
  const [, rows] = await Promise.all([
    takeTurn(tx, `clicks ${partner_id}`),
    tx.query<LastClick | (Omit<LastClick, "id"> & { id: null })>(noteVisitorsStatement, [partner_id, ...values]),
  ]);
  return rows.filter((row) => row.id !== null);
}

const insertStatement = statement(`
  insert into clicks (partner_id, id, link_id, visitor, referrer_host, bot, repeat)
  select $1, v.id, v.link_id, decode(v.visitor, 'hex'), v.referrer_host, v.bot, v.repeat
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
    as v (id, link_id, visitor, referrer_host, bot, repeat)
  on conflict do nothing
  returning id`);

/** Stores clicks, and returns the ids of those that were not stored before. */
export async function insertClicks(tx: Queryable, partner_id: string, clicks: readonly StoredClick[]): Promise<Set<string>> {
  const column = (name: keyof StoredClick) => clicks.map((click) => click[name]);
  const columns = (["id", "link_id", "visitor", "referrer_host", "bot", "repeat"] as const).map(column);
  return new Set((await tx.query<{ id: string }>(insertStatement, [partner_id, ...columns])).map(({ id }) => id));
}

const addDaysStatement = statement(`
  insert into link_days as d (partner_id, link_id, day, clicks, visitors, bots, repeats)
  select $1, v.* from unnest($2::text[], $3::date[], $4::int[], $5::int[], $6::int[], $7::int[]) as v
  on conflict (partner_id, link_id, day) do update set clicks = d.clicks + excluded.clicks, visitors = d.visitors + excluded.visitors,
    bots = d.bots + excluded.bots, repeats = d.repeats + excluded.repeats`);

/** Adds to the days of links. */
export async function addToDays(tx: Queryable, partner_id: string, days: readonly DayCount[]): Promise<void> {
  const column = (name: keyof DayCount) => days.map((day) => day[name]);
  const columns = (["link_id", "day", "clicks", "visitors", "bots", "repeats"] as const).map(column);
  await tx.query(addDaysStatement, [partner_id, ...columns]);
}
