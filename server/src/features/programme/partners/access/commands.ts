import { notFound } from "../../../../kernel/errors.ts";
import type { CallerContext } from "../../../../platform/http/route.ts";
import { type Context, requireVersion } from "../../../../platform/record/context.ts";
import { record, type Tx } from "../../../../platform/record/tx.ts";
import { partnerForUpdateOrNull, savePartner } from "../operator/queries.ts";
import { type AccessRequest, checkDecision } from "./model.ts";
import { latestRequestOrNull, openRequest, requestForUpdateOrNull, requestsPage, saveDecision } from "./queries.ts";
import type { AccessRequestCreate, AccessRequestListQuery } from "./schema.ts";

export async function getAccess(ctx: CallerContext): Promise<{ json: string }> {
  return accessJson(ctx, await latestRequestOrNull(ctx.db, ctx.scope.partner_id));
}

/** Requests access. Changes nothing while a request is open or if the partner has access already. */
export async function requestAccess(ctx: CallerContext, { message = null }: AccessRequestCreate): Promise<{ json: string }> {
  return ctx.tx(async (tx) => {
    const opened = ctx.principal.api_access ? null : await openRequest(ctx, tx, message);
    if (opened !== null) record(tx, ctx.scope, [], { action: "access_requests.create", target: opened, client_id: null });
    return accessJson(ctx, await latestRequestOrNull(tx, ctx.scope.partner_id));
  });
}

export function listRequests(ctx: Context, query: AccessRequestListQuery): Promise<{ json: string }> {
  return requestsPage(ctx.db, query);
}

export function grantAccess(ctx: Context, id: string, reason: string | null): Promise<AccessRequest> {
  return ctx.tx(async (tx) => {
    const request = await lockRequest(ctx, tx, id);
    if (!checkDecision(request, "granted")) return request;
    const partner = (await partnerForUpdateOrNull(tx, request.partner_id)) ?? notFound(request.partner_id);
    if (!partner.api_access) await savePartner(tx, { ...partner, api_access: true });
    const changes = { api_access: { from: partner.api_access, to: true } };
    record(tx, request, [], { action: "access_requests.grant", target: id, client_id: null, changes });
    return saveDecision(ctx, tx, request, "granted", reason);
  });
}

export function declineAccess(ctx: Context, id: string, reason: string | null): Promise<AccessRequest> {
  return ctx.tx(async (tx) => {
    const request = await lockRequest(ctx, tx, id);
    if (!checkDecision(request, "declined")) return request;
    record(tx, request, [], { action: "access_requests.decline", target: id, client_id: null });
    return saveDecision(ctx, tx, request, "declined", reason);
  });
}

async function lockRequest(ctx: Context, tx: Tx, id: string): Promise<AccessRequest> {
  const request = (await requestForUpdateOrNull(tx, id)) ?? notFound(id);
  requireVersion(ctx, request);
  return request;
}

function accessJson({ principal }: CallerContext, request: AccessRequest | null): { json: string } {
  return { json: `{"api_access":${principal.api_access},"request":${request?.json ?? "null"}}` };
}
