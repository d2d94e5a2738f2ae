import { boundClients, OPERATOR_TENANT, type TenantScope } from "../../kernel/principal.ts";
import { type Queryable, statement } from "../../platform/db/statement.ts";

/** An entry is its stored bytes with two members more: where the call came from, and the bytes' leaf hash. */
const ENTRY_JSON = `left(convert_from(a.body, 'UTF8'), -1)
    || ',"ip":' || coalesce(to_json(host(a.ip))::text, 'null') || ',"leaf_hash":"' || encode(a.leaf_hash, 'hex') || '"}'`;

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
  outcome?: string | undefined;
  /** Ids are time-ordered, so a range of time is a range of ids. */
  from_id: string | null;
  before_id: string | null;
  limit: number;
};

/** A page of entries, newest first, and one more. A key bound to some clients sees what concerns those. */
export function entriesPage(db: Queryable, scope: TenantScope, filter: AuditFilter) {
  const values: unknown[] = [scope.partner_id, filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const equal = (["action", "actor_id", "client_id", "outcome"] as const).map((name) =>
    filter[name] === undefined ? "" : `and a.${name} = ${place(filter[name])}`,
  );
  const bound = boundClients(scope);
  const conditions = [
    ...equal,
    bound === null ? "" : `and a.client_id = any (${place(bound)})`,
    filter.from_id === null ? "" : `and a.id >= ${place(filter.from_id)}`,
    filter.before_id === null ? "" : `and a.id < ${place(filter.before_id)}`,
  ];
  return db.query<{ id: string; json: string }>(
    statement(`
  select a.id, ${ENTRY_JSON} as json from audit_entries a
  where a.partner_id = $1 ${conditions.filter(Boolean).join(" ")}
  order by a.id desc limit $2`),
    values,
  );
}

export type OperatorAuditFilter = Pick<AuditFilter, "action" | "actor_id" | "from_id" | "before_id" | "limit"> & {
  partner_id?: string | undefined;
};

const OPERATOR_ENTRY_JSON = `left(${ENTRY_JSON}, -1)
    || ',"partner_id":' || coalesce(to_json(nullif(a.partner_id, '${OPERATOR_TENANT}'))::text, 'null') || '}'`;

const LOGS = `(select id as partner_id from partners union all select '${OPERATOR_TENANT}' collate "C") l`;

/**
 * A page of entries of every log, newest first, and one more: for the operator alone. By action or actor it asks each log by
 * the index that partners use, because further indexes would cost every write, and this is asked seldom.
 */
export function operatorEntriesPage(db: Queryable, filter: OperatorAuditFilter) {
  const values: unknown[] = [filter.limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const equal = (["partner_id", "action", "actor_id"] as const)
    .filter((name) => filter[name] !== undefined)
    .map((name) => `a.${name} = ${place(filter[name])}`);
  const conditions = [
    ...equal,
    filter.from_id === null ? "" : `a.id >= ${place(filter.from_id)}`,
    filter.before_id === null ? "" : `a.id < ${place(filter.before_id)}`,
  ].filter(Boolean);
  const where = conditions.join(" and ") || "true";
  const byLog = filter.partner_id === undefined && (filter.action ?? filter.actor_id) !== undefined;
  const entries = byLog
    ? `${LOGS} cross join lateral (
    select * from audit_entries a where a.partner_id = l.partner_id and ${where} order by a.id desc limit $1) a`
    : `(select * from audit_entries a where ${where} order by a.id desc limit $1) a`;
  return db.query<{ id: string; json: string }>(
    statement(`
  select a.id, ${OPERATOR_ENTRY_JSON} as json from ${entries}
  order by a.id desc limit $1`),
    values,
  );
}
