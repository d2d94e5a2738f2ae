import { listIdentity } from "../../../kernel/page.ts";
import { byCreation, keysetPage } from "../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../platform/db/statement.ts";
import type { Tx } from "../../../platform/record/tx.ts";
import type { OperatorKeyListQuery } from "./schema.ts";

const KEY_JSON = `(select row_to_json(x)::text from (select c.id, c.name, c.hint, c.created_by,
    wire_time(c.created_at) as created_at, wire_time(c.revoked_at) as revoked_at, c.version) x)`;

const keyById = statement(`
  select c.id, c.version, c.revoked_at is not null as revoked, ${KEY_JSON} as json
  from keys c where c.partner_id is null and c.id = $1`);

export type OperatorKeyRow = { id: string; version: number; revoked: boolean; json: string };

export async function operatorKeyOrNull(db: Queryable, id: string): Promise<OperatorKeyRow | null> {
  const [row] = await db.query<OperatorKeyRow>(keyById, [id]);
  return row ?? null;
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

const insertStatement = statement("insert into programme (first_run_at) values ($1)");

export async function insertProgramme(tx: Queryable, now: Date): Promise<void> {
  await tx.query(insertStatement, [now]);
}

const existsStatement = statement("select 1 from programme");

export async function programmeExists(db: Queryable): Promise<boolean> {
  return (await db.query(existsStatement)).length > 0;
}

const PROGRAMME = `p.name, p.default_currency, p.support_email, p.registration_review, p.protection_days, p.open_registrations_max, p.version,
    (select row_to_json(x)::text from (select p.name, p.default_currency, p.support_email,
      p.registration_review, p.protection_days, p.open_registrations_max,
      wire_time(p.first_run_at) as first_run_at, wire_time(coalesce(p.updated_at, p.first_run_at)) as updated_at, p.version) x) as json`;

export type ProgrammeRow = {
  name: string;
  default_currency: string;
  support_email: string | null;
  registration_review: "auto" | "review";
  protection_days: number;
  open_registrations_max: number;
  version: number;
  json: string;
};

const programmeStatement = statement(`select ${PROGRAMME} from programme p`);
const programmeForUpdateStatement = statement(`select ${PROGRAMME} from programme p for update`);

export async function programme(db: Queryable): Promise<ProgrammeRow> {
  return theOne(await db.query<ProgrammeRow>(programmeStatement));
}

export async function programmeForUpdate(tx: Queryable): Promise<ProgrammeRow> {
  return theOne(await tx.query<ProgrammeRow>(programmeForUpdateStatement));
}

const saveStatement = statement(`
  update programme p set name = $1, default_currency = $2, support_email = $3, registration_review = $4, protection_days = $5,
    open_registrations_max = $6, updated_at = $7, version = version + 1
  returning ${PROGRAMME}`);

export async function saveProgramme(tx: Tx, row: Omit<ProgrammeRow, "version" | "json">): Promise<ProgrammeRow> {
  const registrations = [row.registration_review, row.protection_days, row.open_registrations_max];
  const values = [row.name, row.default_currency, row.support_email, ...registrations, tx.now];
  return theOne(await tx.query<ProgrammeRow>(saveStatement, values));
}

function theOne<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error("the first run has not made the programme");
  return row;
}

/** The service's login sees when transactions of its own sessions began, which are those that matter. */
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
  select count(*)::int as count, min(w.event_id) as oldest
  from (select f.event_id from event_feed f where f.seq is null limit 100000) w`);

const jobsStatement = statement(`
  select coalesce(json_agg(json_build_object('name', j.name, 'runs', j.runs, 'failures', j.failures,
    'started_at', wire_time(j.started_at), 'finished_at', wire_time(j.finished_at), 'duration_ms', j.duration_ms,
    'outcome', j.outcome, 'last_error', j.last_error, 'last_error_at', wire_time(j.last_error_at)) order by j.name), '[]') as jobs
  from job_runs j`);

const deliveriesStatement = statement(`
  select (select count(*)::int from webhook_workers w where w.alive_until > now()) as workers,
    (select count(*)::int from webhook_lanes l where l.owner is not null) as endpoints_held,
    (select count(*)::int from webhook_lanes l where l.state = 'degraded') as endpoints_degraded,
    count(*)::int as pending, min(d.id) as oldest
  from (select d.id from deliveries d where d.status = 'pending' limit 100000) d`);

type DeliveryState = {
  workers: number;
  endpoints_held: number;
  endpoints_degraded: number;
  pending: number;
  oldest: string | null;
};

/** What the database knows of its own state. */
export async function systemState(db: Queryable) {
  const [[database], [migrations], [waiting], [deliveries], [jobs]] = await Promise.all([
    db.query<{ database: object }>(databaseStatement),
    db.query<{ migrations: object }>(migrationsStatement),
    db.query<{ count: number; oldest: string | null }>(waitingStatement),
    db.query<DeliveryState>(deliveriesStatement),
    db.query<{ jobs: object[] }>(jobsStatement),
  ]);
  if (waiting === undefined || deliveries === undefined) throw new Error("a count has no row");
  return { ...database, ...migrations, ...jobs, waiting, deliveries };
}
