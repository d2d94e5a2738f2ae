import { BASE, type Json, type World } from "./world.ts";

export const HOOKS = `${BASE}/webhooks`;

/** An endpoint made through the API, as the reply shows it, secret and all. */
export async function newEndpoint(world: World, key: string, fields: object = {}): Promise<Json> {
  const body = { url: "https://hooks.test.example/in", ...fields };
  const reply = await world.call("POST", HOOKS, { key, body });
  if (reply.status !== 201) throw new Error(`the endpoint was not created: ${reply.text}`);
  return reply.body;
}

export type DeliveryRow = {
  id: string;
  event_id: string;
  event_type: string;
  client_id: string | null;
  replay_id: string | null;
  status: string;
  test: boolean;
};

/** What is queued for an endpoint, in the order of events. */
export function queuedFor(world: World, endpoint_id: string): Promise<DeliveryRow[]> {
  return world.db.sql<DeliveryRow>(
    `select d.id, d.event_id, d.event_type, f.client_id, d.replay_id, d.status, d.test
     from deliveries d left join event_feed f on f.partner_id = d.partner_id and f.event_id = d.event_id
     where d.endpoint_id = $1 order by d.event_id, d.replay_id nulls first`,
    [endpoint_id],
  );
}

/** Ends deliveries as if they had been sent. */
export async function finish(
  world: World,
  ids: readonly string[],
  status: "succeeded" | "failed",
  request_headers: object | null = null,
): Promise<void> {
  await world.db.sql(
    `with done as (
       update deliveries set status = $2, attempts = attempts + 1, finished_at = $3, response_status = $4
       where id = any ($1) returning *
     )
     insert into delivery_attempts (partner_id, delivery_id, endpoint_id, number, started_at, duration_ms, status, request_headers)
     select partner_id, id, endpoint_id, attempts, $3, 10 * (row_number() over (order by id)), $4, $5 from done`,
    [ids, status, world.clock.now(), status === "succeeded" ? 200 : 500, request_headers],
  );
}
