import { LIMIT_MAX } from "../../../kernel/page.ts";
import { boundClients, OPERATOR_TENANT, type TenantScope } from "../../../kernel/principal.ts";
import { composedStatement, type Queryable, statement } from "../../../platform/db/statement.ts";

/** An entry is its stored bytes with two more members: the caller's address, and the leaf hash of the bytes. */
const ENTRY_JSON = `left(convert_from(a.body, 'UTF8'), -1)
    || ',"ip":' || coalesce(to_json(host(a.ip))::text, 'null') || ',"leaf_hash":"' || encode(a.leaf_hash, 'hex') || '"}'`;

const OPERATOR_ENTRY_JSON = `left(${ENTRY_JSON}, -1)
    || ',"partner_id":' || coalesce(to_json(nullif(a.partner_id, '${OPERATOR_TENANT}'))::text, 'null') || '}'`;

const entryById = statement(`
  select ${ENTRY_JSON} as json from audit_entries a
  where a.partner_id = $1 and a.id = $2 and ($3::text[] is null or a.client_id = any ($3))`);

export async function entryOrNull(db: Queryable, scope: TenantScope, id: string) {
  const [row] = await db.query<{ json: string }>(entryById, [scope.partner_id, id, boundClients(scope)]);
  return row ?? null;
}

export type AuditFilter = {
  action?: string | undefined;
  actor_id?: string | undefined;
  client_id?: string | undefined;
  target?: string | undefined;
  outcome?: string | undefined;
  ip?: string | undefined;
  request_id?: string | undefined;
  /** Ids are time-ordered, so a range of time is a range of ids. */
  from_id: string | null;
  before_id: string;
  limit: number;
};

type Place = (value: unknown) => string;
type Row = { id: string; json: string };

/** Up to `limit + 1` entries, newest first. A key that is bound to some clients sees the entries about those. */
export function entriesPage(db: Queryable, scope: TenantScope, filter: AuditFilter): Promise<Row[]> {
  const values: unknown[] = [filter.limit + 1, scope.partner_id];
  const place = (value: unknown) => `$${values.push(value)}`;
  const entries = newestOf("$2", clientsOf(filter, boundClients(scope)), conditionsOf(filter, place), place);
  return db.query<Row>(
    composedStatement(`select a.id, ${ENTRY_JSON} as json from ${entries} order by a.id desc limit $1`),
    values,
  );
}

const LOGS = `(select id as partner_id from partners union all select '${OPERATOR_TENANT}' collate "C") l`;

/**
 * All partners: a page of the operator, read by people. Up to `limit + 1` entries of every log, newest first. It reads each log by
 * the indexes that partners use, because an index over all logs would cost every write.
 */
export function operatorEntriesPage(db: Queryable, filter: AuditFilter & { partner_id?: string | undefined }): Promise<Row[]> {
  const values: unknown[] = [filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const log = filter.partner_id === undefined ? "l.partner_id" : place(filter.partner_id);
  const entries = newestOf(log, clientsOf(filter, null), conditionsOf(filter, place), place);
  const logs = filter.partner_id === undefined ? `${LOGS} cross join lateral ${entries}` : entries;
  return db.query<Row>(
    composedStatement(`select a.id, ${OPERATOR_ENTRY_JSON} as json from ${logs} order by a.id desc limit $1`),
    values,
  );
}

/** The clients that entries must be about, or null. Entries about a client itself are found by its id, too. */
function clientsOf({ client_id, target }: AuditFilter, bound: readonly string[] | null): readonly string[] | null {
  const wanted = client_id ?? (target?.startsWith("cli_") ? target : undefined);
  if (wanted === undefined) return bound;
  return bound === null || bound.includes(wanted) ? [wanted] : [];
}

/**
 * The newest entries of a log that meet the conditions, as a table `a`; of each client by its own two indexes. The longest
 * page tells the planner that any page is short: without it the plan was not cached, and planning over all partitions took
 * four times as long as running it, at a hundred thousand entries.
 */
function newestOf(log: string, clients: readonly string[] | null, conditions: string[], place: Place): string {
  const newest = (...more: string[]) =>
    `(select * from audit_entries a where ${[`a.partner_id = ${log}`, ...more, ...conditions].join(" and ")} order by a.id desc limit ${LIMIT_MAX + 1})`;
  if (clients === null) return `${newest()} a`;
  const both = `${newest("a.client_id = c.id", "not a.tallied")} union all ${newest("a.client_id = c.id", "a.tallied")}`;
  return `(select a.* from unnest(${place(clients)}::text[]) as c (id) cross join lateral (${both}) a order by a.id desc limit $1) a`;
}

function conditionsOf(filter: AuditFilter, place: Place): string[] {
  const { target, ip, request_id, from_id, before_id } = filter;
  const conditions = (["action", "actor_id", "outcome"] as const)
    .filter((name) => filter[name] !== undefined)
    .map((name) => `a.${name} = ${place(filter[name])}`);
  if (target !== undefined) conditions.push(`a.target = ${place(target)}`);
  if (target !== undefined && !target.startsWith("cli_")) conditions.push("a.target is distinct from a.client_id");
  if (ip !== undefined) conditions.push(`a.ip = ${place(ip)}::inet`);
  if (request_id !== undefined) conditions.push(`convert_from(a.body, 'UTF8')::json ->> 'request_id' = ${place(request_id)}`);
  if (from_id !== null) conditions.push(`a.id >= ${place(from_id)}`);
  conditions.push(`a.id < ${place(before_id)}`);
  return conditions;
}
