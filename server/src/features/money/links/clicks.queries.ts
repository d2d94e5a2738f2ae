import { firstIdAtTime } from "../../../kernel/ids.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import { takeTurn } from "../../../platform/db/turn.ts";
import type { DayCount, Earlier, StoredClick } from "./clicks.model.ts";

const addSaltStatement = statement("insert into click_salts (day, salt) values ($1, $2) on conflict do nothing");
const saltStatement = statement("select encode(s.salt, 'hex') as salt from click_salts s where s.day = $1");

/** The salt of a day in hexadecimal: of several that are offered at once, the first. */
export async function saltOf(db: Queryable, day: string, offered: Buffer): Promise<string> {
  await db.query(addSaltStatement, [day, offered]);
  const [row] = await db.query<{ salt: string }>(saltStatement, [day]);
  if (row === undefined) throw new Error(`the salt of ${day} is missing`);
  return row.salt;
}

const dropSaltsStatement = statement("delete from click_salts where day < $1 returning day");

/** Deletes the salts before a day. */
export async function dropSalts(db: Queryable, before: string): Promise<number> {
  return (await db.query(dropSaltsStatement, [before])).length;
}

/** Clicks of the same day have the same salt, so an earlier click of a visitor is of that day. */
const earlierStatement = statement(`
  select distinct on (c.link_id, c.visitor) c.link_id, encode(c.visitor, 'hex') as visitor, c.id
  from clicks c join unnest($2::text[], $3::text[]) as v (link_id, visitor) on c.link_id = v.link_id and c.visitor = decode(v.visitor, 'hex')
  where c.partner_id = $1 and c.id >= $4 and c.bot is null
  order by c.link_id, c.visitor, c.id desc`);

type Visit = Pick<StoredClick, "link_id" | "visitor">;

/** The last clicks of some visitors since a day began. Nobody stores clicks of the partner before the transaction ends. */
export async function earlierClicks(
  tx: Queryable,
  partner_id: string,
  visits: readonly Visit[],
  since: string,
): Promise<Earlier[]> {
  const values = [partner_id, visits.map(({ link_id }) => link_id), visits.map(({ visitor }) => visitor)];
  const [, rows] = await Promise.all([
    takeTurn(tx, `clicks ${partner_id}`),
    tx.query<Earlier>(earlierStatement, [...values, firstIdAtTime("click", since)]),
  ]);
  return rows;
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
