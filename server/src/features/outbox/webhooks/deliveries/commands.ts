import { fail, notFound } from "../../../../kernel/errors.ts";
import { type EventType, readableTypes, requireReadable } from "../../../../kernel/events.ts";
import { firstIdAtTime, timeOfId } from "../../../../kernel/ids.ts";
import { listIdentity, pageById } from "../../../../kernel/page.ts";
import type { Result } from "../../../../platform/http/route.ts";
import { exampleOf, type JsonSchema } from "../../../../platform/http/schema-example.ts";
import type { Context } from "../../../../platform/record/context.ts";
import { unlistedEventQuery } from "../../../../platform/record/events.ts";
import { record } from "../../../../platform/record/tx.ts";
import { eventOf } from "../../events/index.ts";
import { lockEndpoint } from "../commands.ts";
import { EVERY_TYPE, wantsEvent } from "../model.ts";
import { endpointForUpdateOrNull, endpointRowOrNull } from "../queries.ts";
import {
  deliveriesPage,
  deliveryForUpdateOrNull,
  deliveryOrNull,
  endpointIdOrNull,
  insertTestDelivery,
  saveRetry,
} from "./queries.ts";
import type { DeliveryListQuery, EndpointTest } from "./schema.ts";

export async function listDeliveries(ctx: Context, endpoint_id: string, query: DeliveryListQuery): Promise<Result> {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  const { event_created_after, event_created_before, ...filter } = filters;
  if ((await endpointRowOrNull(ctx.db.byKey, ctx.scope, endpoint_id)) === null) notFound(endpoint_id);
  const from_id = event_created_after === undefined ? null : firstIdAtTime("delivery", event_created_after);
  const end_id = event_created_before === undefined ? null : firstIdAtTime("delivery", event_created_before);
  return pageById(listIdentity("deliveries", { endpoint_id, ...filters }), query, async (after, limit) => {
    const before_id = [after, end_id].filter((bound) => bound !== null).sort()[0] ?? null;
    return (await deliveriesPage(ctx.db, ctx.scope, { ...filter, endpoint_id, from_id, before_id, limit })).map(timed);
  });
}

export async function getDelivery(ctx: Context, id: string): Promise<Result> {
  return timed((await deliveryOrNull(ctx.db.byKey, ctx.scope, id, readableTypes(ctx.principal))) ?? notFound(id));
}

/** Sends a delivery again now, whatever became of it, if it still is for this endpoint. */
export function retryDelivery(ctx: Context, id: string): Promise<Result> {
  return ctx.tx(async (tx) => {
    // The endpoint is locked first, as by whoever changes it, so that it does not change meanwhile.
    const endpoint_id = (await endpointIdOrNull(tx, ctx.scope, id)) ?? notFound(id);
    const endpoint = (await endpointForUpdateOrNull(tx, ctx.scope, endpoint_id)) ?? notFound(id);
    const { status, event_type, test, client_id } = (await deliveryForUpdateOrNull(tx, ctx.scope, id)) ?? notFound(id);
    if (!test) requireReadable(ctx.principal, [event_type]);
    if (!endpoint.enabled) fail("endpoint_disabled");
    if (!test && !wantsEvent(endpoint, event_type, client_id)) fail("event_not_wanted");
    const saved = await saveRetry(tx, ctx.scope, id);
    const changes = { status: { from: status, to: "pending" } };
    record(tx, ctx.scope, [], { action: "deliveries.retry", target: id, client_id: null, changes });
    tx.wake(ctx.scope.partner_id);
    return timed(saved);
  });
}

/** Sends an endpoint an example of a type: an event that is in no feed, on the path that all others take. */
export function sendTest(ctx: Context, endpoint_id: string, asked: EndpointTest): Promise<Result> {
  return ctx.tx(async (tx) => {
    const endpoint = await lockEndpoint(ctx, tx, endpoint_id);
    if (!endpoint.enabled) fail("endpoint_disabled");
    const type = asked.type ?? endpoint.event_types.find((wanted) => wanted !== EVERY_TYPE) ?? "client.created";
    const event = { id: tx.newId("event"), type, data: { ...exampleData(type), partner_id: ctx.scope.partner_id } };
    const { statement, values } = unlistedEventQuery(ctx.scope.partner_id, event, tx.now);
    await tx.query(statement, values);
    const delivery = await insertTestDelivery(tx, ctx.scope, endpoint_id, event);
    const changes = { type: { from: null, to: type }, delivery_id: { from: null, to: delivery.id } };
    record(tx, ctx.scope, [], { action: "webhooks.test", target: endpoint_id, client_id: null, changes });
    tx.wake(ctx.scope.partner_id);
    return timed(delivery);
  });
}

function exampleData(type: EventType): object {
  return (exampleOf(eventOf(type) as JsonSchema) as { data: object }).data;
}

/** With the time of its event, which its id begins with. */
function timed({ id, json }: { id: string; json: string }): { id: string; json: string } {
  return { id, json: `${json.slice(0, -1)},"event_created_at":"${new Date(timeOfId(id)).toISOString()}"}` };
}
