import { actorOf } from "../../../../kernel/principal.ts";
import { composedStatement, type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { AccessRequest, RequestStatus } from "./model.ts";

const COLUMNS = `r.id, r.partner_id, r.status, r.version,
    (select row_to_json(x)::text from (select r.id, r.partner_id, r.status, r.message, r.reason,
      wire_time(r.created_at) as created_at, wire_time(r.decided_at) as decided_at, r.version) x) as json`;

const latestStatement = statement(`
  select ${COLUMNS} from access_requests r where r.partner_id = $1 order by r.id desc limit 1`);

export async function latestRequestOrNull(db: Queryable, partner_id: string): Promise<AccessRequest | null> {
  return (await db.query<AccessRequest>(latestStatement, [partner_id]))[0] ?? null;
}

/** One open request per partner: of two that ask at once, the second finds the first one's. */
const insertStatement = statement(`
  insert into access_requests (partner_id, id, status, message, requested_by, created_at)
  values ($1, $2, 'open', $3, $4, $5)
  on conflict (partner_id) where status = 'open' do nothing
  returning id`);

/** Opens a request; null when one is open already. */
export async function openRequest(ctx: Context, tx: Tx, message: string | null): Promise<string | null> {
  const values = [ctx.scope.partner_id, tx.newId("access_request"), message, actorOf(ctx.principal).id, tx.now];
  return (await tx.query<{ id: string }>(insertStatement, values))[0]?.id ?? null;
}

const forUpdateStatement = statement(`select ${COLUMNS} from access_requests r where r.id = $1 for update`);

export async function requestForUpdateOrNull(tx: Tx, id: string): Promise<AccessRequest | null> {
  return (await tx.query<AccessRequest>(forUpdateStatement, [id]))[0] ?? null;
}

const decideStatement = statement(`
  update access_requests r set status = $3, reason = $4, decided_by = $5, decided_at = $6, version = r.version + 1
  where r.partner_id = $1 and r.id = $2
  returning ${COLUMNS}`);

export async function saveDecision(
  ctx: Context,
  tx: Tx,
  request: AccessRequest,
  status: RequestStatus,
  reason: string | null,
): Promise<AccessRequest> {
  const values = [request.partner_id, request.id, status, reason, actorOf(ctx.principal).id, tx.now];
  const [row] = await tx.query<AccessRequest>(decideStatement, values);
  if (row === undefined) throw new Error("the decision was not saved");
  return row;
}

const grantOpenStatement = statement(`
  update access_requests r set status = 'granted', decided_by = $2, decided_at = $3, version = r.version + 1
  where r.partner_id = $1 and r.status = 'open'`);

/** Closes the request of a partner that was given access directly. */
export async function grantOpenRequest(ctx: Context, tx: Tx, partner_id: string): Promise<void> {
  await tx.query(grantOpenStatement, [partner_id, actorOf(ctx.principal).id, tx.now]);
}

/** A page of requests of all partners, newest first, and one more. */
export function requestsPage(db: Queryable, status: readonly string[] | undefined, after: string | null, limit: number) {
  const values: unknown[] = [limit + 1];
  const place = (value: unknown) => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (status !== undefined)
    conditions.push(status.length === 1 ? `r.status = ${place(status[0])}` : `r.status = any (${place(status)})`);
  if (after !== null) conditions.push(`r.id < ${place(after)}`);
  return db.query<AccessRequest>(
    composedStatement(`
  select ${COLUMNS} from access_requests r
  where ${conditions.join(" and ") || "true"}
  order by r.id desc limit $1`),
    values,
  );
}
