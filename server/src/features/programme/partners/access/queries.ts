import { listIdentity } from "../../../../kernel/page.ts";
import { actorOf } from "../../../../kernel/principal.ts";
import { insertValues, parsedRow, rowJson } from "../../../../platform/db/columns.ts";
import { anyOf, byCreation, keysetPage } from "../../../../platform/db/keyset.ts";
import { type Queryable, statement } from "../../../../platform/db/statement.ts";
import type { Context } from "../../../../platform/record/context.ts";
import type { Tx } from "../../../../platform/record/tx.ts";
import type { AccessRequest, RequestStatus } from "./model.ts";
import { type AccessRequestListQuery, AccessRequest as AccessRequestSchema } from "./schema.ts";

const REQUEST_JSON = rowJson(AccessRequestSchema, {
  partner_company: "(select p.company from partners p where p.id = c.partner_id)",
});

const latestStatement = statement(`
  select ${REQUEST_JSON} as json from access_requests c where c.partner_id = $1 order by c.id desc limit 1`);

export async function latestRequestOrNull(db: Queryable, partner_id: string): Promise<AccessRequest | null> {
  return parsedRow<AccessRequest>(await db.query(latestStatement, [partner_id]));
}

/** One open request per partner: of two concurrent ones, the second finds the first. */
const insertStatement = statement(`
  insert into access_requests ${insertValues(["partner_id", "id", "status", "message", "requested_by", "created_at"])}
  on conflict (partner_id) where status = 'open' do nothing
  returning id`);

/** Opens a request; null if one is open already. */
export async function openRequest(ctx: Context, tx: Tx, message: string | null): Promise<string | null> {
  const values = [ctx.scope.partner_id, tx.newId("access_request"), "open", message, actorOf(ctx.principal).id, tx.now];
  return (await tx.query<{ id: string }>(insertStatement, values))[0]?.id ?? null;
}

const forUpdateStatement = statement(`select ${REQUEST_JSON} as json from access_requests c where c.id = $1 for update`);

export async function requestForUpdateOrNull(tx: Tx, id: string): Promise<AccessRequest | null> {
  return parsedRow<AccessRequest>(await tx.query(forUpdateStatement, [id]));
}

const decideStatement = statement(`
  with c as (
    update access_requests set status = $3, reason = $4, decided_by = $5, decided_at = $6, version = version + 1
    where partner_id = $1 and id = $2
    returning *
  )
  select ${REQUEST_JSON} as json from c`);

export async function saveDecision(
  ctx: Context,
  tx: Tx,
  request: AccessRequest,
  status: RequestStatus,
  reason: string | null,
): Promise<AccessRequest> {
  const values = [request.partner_id, request.id, status, reason, actorOf(ctx.principal).id, tx.now];
  const saved = parsedRow<AccessRequest>(await tx.query(decideStatement, values));
  if (saved === null) throw new Error("the decision was not saved");
  return saved;
}

const grantOpenStatement = statement(`
  update access_requests c set status = 'granted', decided_by = $2, decided_at = $3, version = c.version + 1
  where c.partner_id = $1 and c.status = 'open'`);

/** Closes the open request of a partner that got access directly. */
export async function grantOpenRequest(ctx: Context, tx: Tx, partner_id: string): Promise<void> {
  await tx.query(grantOpenStatement, [partner_id, actorOf(ctx.principal).id, tx.now]);
}

/** The requests of all partners. */
export function requestsPage(db: Queryable, query: AccessRequestListQuery): Promise<{ json: string }> {
  const { status } = query;
  return keysetPage(
    db,
    null,
    {
      list: listIdentity("access-requests", { status }),
      table: "access_requests",
      json: REQUEST_JSON,
      sort: byCreation(true),
      conditions: (place) => (status === undefined ? [] : [anyOf("c.status", status, place)]),
    },
    query,
  );
}
