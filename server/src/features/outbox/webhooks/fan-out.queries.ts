import { type Query, statement } from "../../../platform/db/statement.ts";
import type { NewEvent } from "../../../platform/record/events.ts";
import { EVERY_TYPE } from "./model.ts";

/**
 * The id of a delivery, from the event `e.id`, the endpoint `w.id` and, for one that is sent again, the replay. Made of
 * them and not by chance, so that the same is never queued twice; it begins with its event's time, as every id does.
 */
export const deliveryId = ({
  event = "e.id",
  endpoint = "w.id",
  replay,
}: {
  event?: string;
  endpoint?: string;
  replay?: string;
}) =>
  `'dlv_' || substr(${event}, 5, 10) || left(md5(${[event, endpoint, ...(replay === undefined ? [] : [replay])].join(" || ")}), 16)`;

/** Which events an endpoint `w` gets: of its types, and, where it has clients, of those alone. */
export const WANTS = `w.event_types && array[e.type, '${EVERY_TYPE}'] and (w.client_ids is null or e.client_id = any (w.client_ids))`;

const fanOutStatement = statement(`
  insert into deliveries (partner_id, id, endpoint_id, event_id, event_type, next_at)
  select w.partner_id, ${deliveryId({})}, w.id, e.id, e.type, $5
  from unnest($2::text[], $3::text[], $4::text[]) as e (id, type, client_id)
    join webhook_endpoints w on w.partner_id = $1 and w.enabled and ${WANTS}`);

/** Queues events for the endpoints that want them: one statement, in the transaction that they happened in. */
export function fanOut(partner_id: string, events: readonly NewEvent[], now: Date): Query[] {
  const ids = events.map(({ id }) => id);
  const types = events.map(({ type }) => type);
  const clients = events.map(({ client_id }) => client_id);
  return [{ statement: fanOutStatement, values: [partner_id, ids, types, clients, now] }];
}
