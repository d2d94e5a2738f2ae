import { listIdentity } from "../../../kernel/page.ts";
import { clusterNodes } from "../../../platform/db/cluster.ts";
import { assignments, parsedRow, rowJson, valuesOf } from "../../../platform/db/columns.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import {
  type OperatorKey,
  type OperatorKeyListQuery,
  OperatorKey as OperatorKeySchema,
  PROGRAMME_FIELDS,
  type Programme,
  Programme as ProgrammeSchema,
} from "./schema.ts";

const KEY_JSON = rowJson(OperatorKeySchema);

const keyById = statement(`select ${KEY_JSON} as json from keys c where c.partner_id is null and c.id = $1`);

export type OperatorKeyRow = OperatorKey & { json: string };

export async function operatorKeyOrNull(db: Queryable, id: string): Promise<OperatorKeyRow | null> {
  return parsedRow<OperatorKey>(await db.query(keyById, [id]));
}

export function operatorKeysPage(db: Queryable, query: OperatorKeyListQuery): Promise<{ json: string }> {
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("operator-keys", {}),
      table: "keys",
      json: KEY_JSON,
      sort: byCreation(true),
      conditions: () => ["c.partner_id is null"],
    },
    query,
  );
}

const insertStatement = statement("insert into programme (first_run_at, payout_schedule_since) values ($1, $1)");

export async function insertProgramme(tx: Queryable, now: Date): Promise<void> {
  await tx.query(insertStatement, [now]);
}

const existsStatement = statement("select 1 from programme");

export async function programmeExists(db: Queryable): Promise<boolean> {
  return (await db.query(existsStatement)).length > 0;
}

const PROGRAMME_JSON = rowJson(ProgrammeSchema, { updated_at: "wire_time(coalesce(c.updated_at, c.first_run_at))" });

export type ProgrammeRow = Programme & { json: string };

const programmeStatement = statement(`select ${PROGRAMME_JSON} as json from programme c`);
const programmeForUpdateStatement = statement(`select ${PROGRAMME_JSON} as json from programme c for update`);

export async function programme(db: Queryable): Promise<ProgrammeRow> {
  return theOne(await db.query(programmeStatement));
}

export async function programmeForUpdate(tx: Queryable): Promise<ProgrammeRow> {
  return theOne(await tx.query(programmeForUpdateStatement));
}

const saveStatement = statement(`
  with c as (
    update programme set ${assignments([...PROGRAMME_FIELDS, "updated_at"], 1)}, version = version + 1
    returning *
  )
  select ${PROGRAMME_JSON} as json from c`);

export async function saveProgramme(tx: Tx, row: ProgrammeRow): Promise<ProgrammeRow> {
  return theOne(await tx.query(saveStatement, [...valuesOf(row, PROGRAMME_FIELDS), tx.now]));
}

const restartStatement = statement("update programme set payout_schedule_since = $1");

/** A schedule that was just set has no runs outstanding. */
export async function restartSchedule(tx: Tx): Promise<void> {
  await tx.query(restartStatement, [tx.now]);
}

function theOne(rows: { json: string }[]): ProgrammeRow {
  const row = parsedRow<Programme>(rows);
  if (row === null) throw new Error("the first run has not created the programme");
  return row;
}

/** The service's login sees the start of transactions of its own sessions alone, and those are the ones that matter. */
const databaseStatement = statement(`
  select json_build_object(
    'version', current_setting('server_version'),
    'size_bytes', pg_database_size(current_database()),
    'connections', (select count(*) from pg_stat_activity a where a.datname = current_database()),
    'connections_max', current_setting('max_connections')::int,
    'oldest_transaction_seconds', coalesce((
      select greatest(extract(epoch from clock_timestamp() - min(a.xact_start)), 0)::float8
      from pg_stat_activity a where a.datname = current_database() and a.pid <> pg_backend_pid()), 0)) as database`);

const migrationsStatement = statement(`
  select json_build_object('applied', (select count(*) from migrations), 'newest', m.file,
    'applied_at', wire_time(m.applied_at)) as migrations
  from migrations m order by m.number desc limit 1`);

const waitingStatement = statement(`
  -- all partners: the operator's health page
  select count(*)::int as count, min(w.event_id) as oldest
  from (select f.event_id from event_feed f where f.seq is null limit 100000) w`);

const jobsStatement = statement(`
  select coalesce(json_agg(json_build_object('name', j.name, 'runs', j.runs, 'failures', j.failures,
    'started_at', wire_time(j.started_at), 'finished_at', wire_time(j.finished_at), 'duration_ms', j.duration_ms,
    'outcome', j.outcome, 'last_error', j.last_error, 'last_error_at', wire_time(j.last_error_at)) order by j.name), '[]') as jobs
  from job_runs j`);

const workersStatement = statement("select count(*)::int as workers from webhook_workers w where w.alive_until > now()");

const lanesStatement = statement(`
  -- all partners: the operator's health page
  select count(*) filter (where l.owner is not null)::int as endpoints_held,
    count(*) filter (where l.state = 'degraded')::int as endpoints_degraded
  from webhook_lanes l where l.owner is not null or l.state = 'degraded'`);

const deliveriesStatement = statement(`
  -- all partners: the operator's health page
  select count(*)::int as pending, min(d.id) as oldest
  from (select d.id from deliveries d where d.status = 'pending' limit 100000) d`);

type DeliveryState = { pending: number; oldest: string | null };
type LaneState = { endpoints_held: number; endpoints_degraded: number };

/** The state of the installation as the database knows it. */
export async function systemState(db: Queryable) {
  const [[database], cluster, [migrations], [waiting], [workers], [lanes], [deliveries], [jobs]] = await Promise.all([
    db.query<{ database: object }>(databaseStatement),
    clusterNodes(db),
    db.query<{ migrations: object }>(migrationsStatement),
    db.query<{ count: number; oldest: string | null }>(waitingStatement),
    db.query<{ workers: number }>(workersStatement),
    db.query<LaneState>(lanesStatement),
    db.query<DeliveryState>(deliveriesStatement),
    db.query<{ jobs: object[] }>(jobsStatement),
  ]);
  if (waiting === undefined || deliveries === undefined) throw new Error("a count has no row");
  return { ...database, cluster, ...migrations, ...jobs, waiting, deliveries: { ...workers, ...lanes, ...deliveries } };
}
