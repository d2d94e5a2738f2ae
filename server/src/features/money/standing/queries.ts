import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Metric, Requirement, Tier } from "../../programme/tiers/index.ts";
import { type Measure, WINDOW_DAYS } from "./model.ts";

/** Counts no further than the highest number that a tier requires, so that it costs the same for any number of clients. */
const activeClientsStatement = statement(`
  select count(*)::int as value from (
    select 1 from clients c where c.partner_id = $1 and c.status = 'active' and not c.house limit $2) c`);

/** Sales that still earn: a charge that is made when the window ends earns nothing, and who has left pays nothing. */
const wonMrrStatement = statement(`
  select coalesce(sum(e.mrr_cents), 0)::bigint as value
  from earnings e join clients c on c.partner_id = $1 and c.id = e.client_id
  where e.partner_id = $1 and e.ended_at is null and e.currency = coalesce($2, (select p.currency from partners p where p.id = $1))
    and (e.window_until is null or e.window_until > $3) and c.status <> 'churned'`);

const certificationsStatement = statement(`
  select count(*)::int as value from certification_grants g
  where g.partner_id = $1 and g.ended_at is null and (g.expires_at is null or g.expires_at > $2)`);

/** Of the clients that were active at a time, how many have not churned since. Who had none has lost none. */
const retentionStatement = statement(`
  select coalesce(count(*) filter (where c.status <> 'churned') * 10000 / nullif(count(*), 0), 10000)::int as value
  from (
    select m.client_id from client_movements m
    where m.partner_id = $1 and m.at <= $2
    group by m.client_id having sum(m.clients) > 0) a
    join clients c on c.partner_id = $1 and c.id = a.client_id`);

type Measurement = (
  db: Queryable,
  partner_id: string,
  requirement: Requirement,
  now: Date,
  up_to: number | null,
) => Promise<number>;

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000);

/** What measures each metric. Everything is counted when it is asked for, so nothing can be counted twice or forgotten. */
const MEASUREMENTS: Record<Metric, Measurement> = {
  active_clients: (db, partner_id, _, __, up_to) => measured(db.query(activeClientsStatement, [partner_id, up_to])),
  won_mrr_cents: (db, partner_id, { currency = null }, now) => measured(db.query(wonMrrStatement, [partner_id, currency, now])),
  certifications: (db, partner_id, _, now) => measured(db.query(certificationsStatement, [partner_id, now])),
  retention_bps: (db, partner_id, { window_days = WINDOW_DAYS }, now) =>
    measured(db.query(retentionStatement, [partner_id, daysBefore(now, window_days)])),
};

async function measured(rows: Promise<unknown[]>): Promise<number> {
  const [row] = (await rows) as { value: number }[];
  if (row === undefined) throw new Error("a count has no row");
  return row.value;
}

/** Measures a partner, as far as some tiers require it; without tiers, exactly. */
export function measureOf(db: Queryable, partner_id: string, now: Date, tiers: readonly Tier[] | null): Measure {
  const known = new Map<string, Promise<number>>();
  return (requirement) => {
    const { metric, currency, window_days } = requirement;
    const name = `${metric} ${currency} ${window_days}`;
    const value = known.get(name) ?? MEASUREMENTS[metric](db, partner_id, requirement, now, tiers && highestOf(tiers, metric));
    known.set(name, value);
    return value;
  };
}

function highestOf(tiers: readonly Tier[], metric: Metric): number {
  const required = tiers.flatMap(({ requirements }) => requirements.filter((one) => one.metric === metric));
  return Math.max(...required.map(({ value }) => value));
}

const liftsStatement = statement(`
  select n.lifts_to from certification_grants g join certifications n on n.id = g.certification_id
  where g.partner_id = $1 and g.ended_at is null and (g.expires_at is null or g.expires_at > $2) and n.lifts_to is not null`);

/** The grades that the certifications of a partner lift it to. */
export async function liftedGrades(db: Queryable, partner_id: string, now: Date): Promise<string[]> {
  const rows = await db.query<{ lifts_to: string }>(liftsStatement, [partner_id, now]);
  return rows.map(({ lifts_to }) => lifts_to);
}

const partnersStatement = statement("select p.id from partners p where p.id > $1 order by p.id limit $2");

/** The ids of partners after one. */
export async function partnersAfter(db: Queryable, id: string, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(partnersStatement, [id, limit])).map((row) => row.id);
}

const editedStatement = statement(`
  select exists (
    select 1 from tiers t where t.updated_at > $1
    union all select 1 from certifications n where n.updated_at > $1) as edited`);

/** Whether a tier or a certification was edited since a time. */
export async function tiersEditedSince(db: Queryable, since: Date): Promise<boolean> {
  return (await db.query<{ edited: boolean }>(editedStatement, [since]))[0]?.edited ?? false;
}
