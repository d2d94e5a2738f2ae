import { LIMIT_MAX } from "../../../kernel/page.ts";
import { boundClients, OPERATOR_TENANT, type TenantScope } from "../../../kernel/principal.ts";
import { actorName } from "../../../platform/db/actor-name.ts";
import { composedStatement, type Queryable, statement } from "../../../platform/db/statement.ts";

const STORED = "convert_from(a.body, 'UTF8')";

/** The stored entry with the name in its actor, which is the first object that ends in it. */
const named = (partner_id: string | null) =>
  `coalesce(overlay(${STORED} placing ',"name":' || coalesce(to_json(${actorName("a.actor_id", partner_id)})::text, 'null')
      from nullif(position('},"action":' in ${STORED}), 0) for 0), ${STORED})`;

/** An entry is its stored bytes with three more members: the actor's name, the caller's address, and the leaf hash of the bytes. */
const entryJson = (partner_id: string | null) => `left(${named(partner_id)}, -1)
    || ',"ip":' || coalesce(to_json(host(a.ip))::text, 'null') || ',"leaf_hash":"' || encode(a.leaf_hash, 'hex') || '"}'`;

const ENTRY_JSON = entryJson("a.partner_id");

const OPERATOR_ENTRY_JSON = `left(${entryJson(null)}, -1)
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
  counted?: boolean | undefined;
  ip?: string | undefined;
  request_id?: string | undefined;
  /** Whether sign-ins of the operator's people and what they do to their sessions are among the entries. Default: yes. */
  own_sessions?: boolean;
  /** Ids are time-ordered, so a range of time is a range of ids. */
  from_id: string | null;
  before_id: string;
  limit: number;
};

type Place = (value: unknown) => string;
type Row = { id: string; json: string };

/**
 * Up to `limit + 1` entries, newest first. A key that is bound to some clients sees the entries about those. A row without JSON only says
 * how far the log was searched.
 */
export async function entriesPage(db: Queryable, scope: TenantScope, filter: AuditFilter): Promise<Row[]> {
  const values: unknown[] = [filter.limit + 1, scope.partner_id];
  const place = (value: unknown) => `$${values.push(value)}`;
  const clients = clientsOf(filter, boundClients(scope));
  const entries = newestOf("$2", clients, conditionsOf(filter, place), place);
  const rows = await db.query<Row>(
    composedStatement(`select a.id, ${ENTRY_JSON} as json from ${entries} order by a.id desc limit $1`),
    values,
  );
  if (rows.length > filter.limit || clients !== null || !isSearched(filter)) return rows;
  return untilFloor(rows, filter, await searchFloor(db, filter, scope.partner_id));
}

const EVERY_LOG = "l.partner_id";

/** What each log has: of the partners, who are found by their house accounts, which a cluster has on the nodes of their logs, and of the operator. */
const ofEachLog = (columns: string, of: (log: string) => string, end = "") => `(
    (select ${columns} from clients l cross join lateral ${of(EVERY_LOG)} where l.house${end})
    union all (select ${columns} from ${of(`'${OPERATOR_TENANT}'`)}))`;

/**
 * All partners: a page of the operator, read by people. Up to `limit + 1` entries of every log, newest first. It reads each log by
 * the indexes that partners use, because an index over all logs would cost every write.
 */
export async function operatorEntriesPage(
  db: Queryable,
  filter: AuditFilter & { partner_id?: string | undefined },
): Promise<Row[]> {
  const values: unknown[] = [filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const clients = clientsOf(filter, null);
  const conditions = conditionsOf(filter, place);
  // A page has at most so many of one log: with the longest page of each, 3,000 partners took three times as long.
  const newest = (log: string) => newestOf(log, clients, conditions, place, filter.limit + 1);
  const newestOfAll = () => `${ofEachLog("a.*", newest, " order by a.id desc limit $1")} a`;
  const logs = filter.partner_id === undefined ? newestOfAll() : newest(place(filter.partner_id));
  const rows = await db.query<Row>(
    composedStatement(`select a.id, ${OPERATOR_ENTRY_JSON} as json from ${logs} order by a.id desc limit $1`),
    values,
  );
  if (clients !== null || !isSearched(filter)) return rows;
  return untilFloor(rows, filter, await searchFloor(db, filter, filter.partner_id ?? null));
}

/** How many of the newest entries a page searches for what has no index: of one log, or of each log where it shows all of them. */
const SEARCHED_MAX = 5_000;
const SEARCHED_EACH_MAX = 500;
const searchedOf = (log: string) => (log.startsWith("$") ? SEARCHED_MAX : SEARCHED_EACH_MAX);

function isSearched({ action, actor_id, ip, request_id, outcome, counted, target }: AuditFilter): boolean {
  if (target !== undefined || outcome === "denied") return false;
  return [action, actor_id, ip, request_id, outcome, counted].some((wanted) => wanted !== undefined);
}

/** The last entry that a page has searched, in the log where it got least far; null if it has searched everything. */
async function searchFloor(
  db: Queryable,
  { from_id, before_id }: AuditFilter,
  partner_id: string | null,
): Promise<string | null> {
  const searched = (log: string) => `(select a.id from audit_entries a
    where a.partner_id = ${log} and a.id < $1 and ($2::text is null or a.id >= $2) order by a.id desc offset ${searchedOf(log) - 1} limit 1) f`;
  const logs = partner_id === null ? `${ofEachLog("f.id", searched)} f` : searched("$3");
  const [row] = await db.query<{ id: string | null }>(composedStatement(`select max(f.id) as id from ${logs}`), [
    before_id,
    from_id,
    ...(partner_id === null ? [] : [partner_id]),
  ]);
  return row?.id ?? null;
}

/** A page that ends where not all logs were searched goes on from there. */
function untilFloor(rows: Row[], { limit }: AuditFilter, floor: string | null): Row[] {
  if (floor === null) return rows;
  const known = rows.filter(({ id }) => id >= floor);
  const rest = Math.max(0, limit + 1 - known.length);
  return [...known, ...Array.from({ length: rest }, () => ({ id: floor, json: "" }))];
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
function newestOf(
  log: string,
  clients: readonly string[] | null,
  { indexed, searched }: Conditions,
  place: Place,
  most = LIMIT_MAX + 1,
): string {
  const rows = (conditions: string[], limit: number) =>
    `(select * from audit_entries a where ${[`a.partner_id = ${log}`, ...conditions].join(" and ")} order by a.id desc limit ${limit})`;
  const newest = (...more: string[]) => rows([...more, ...indexed, ...searched], most);
  if (clients === null && searched.length > 0) {
    return `(select * from ${rows(indexed, searchedOf(log))} a where ${searched.join(" and ")} order by a.id desc limit ${most}) a`;
  }
  if (clients === null) return `${newest()} a`;
  const both = (client: string) =>
    `${newest(`a.client_id = ${client}`, "not a.tallied")} union all ${newest(`a.client_id = ${client}`, "a.tallied")}`;
  if (clients.length === 1) return `(${both(place(clients[0]))}) a`;
  return `(select a.* from unnest(${place(clients)}::text[]) as c (id) cross join lateral (${both("c.id")}) a order by a.id desc limit $1) a`;
}

/** Those that an index answers, and those that entries are searched for unless another filter leaves few of them. */
type Conditions = { indexed: string[]; searched: string[] };

function conditionsOf(filter: AuditFilter, place: Place): Conditions {
  const { target, ip, request_id, from_id, before_id } = filter;
  const indexed = [`a.id < ${place(before_id)}`];
  if (from_id !== null) indexed.push(`a.id >= ${place(from_id)}`);
  if (target !== undefined) indexed.push(`a.target = ${place(target)}`);
  if (target !== undefined && !target.startsWith("cli_")) indexed.push("a.target is distinct from a.client_id");
  const others = (["action", "actor_id", "outcome"] as const)
    .filter((name) => filter[name] !== undefined)
    .map(
      (name) =>
        `a.${name} = ${name === "outcome" ? `'${filter.outcome === "denied" ? "denied" : "success"}'` : place(filter[name])}`,
    );
  if (filter.counted !== undefined) others.push(filter.counted ? "a.tallied" : "not a.tallied");
  if (filter.own_sessions === false)
    others.push(`not (a.partner_id = '${OPERATOR_TENANT}' and a.action like 'sessions.%' and a.outcome = 'success')`);
  if (ip !== undefined) others.push(`a.ip = ${place(ip)}::inet`);
  if (request_id !== undefined) others.push(`convert_from(a.body, 'UTF8')::json ->> 'request_id' = ${place(request_id)}`);
  return isSearched(filter) ? { indexed, searched: others } : { indexed: [...indexed, ...others], searched: [] };
}
