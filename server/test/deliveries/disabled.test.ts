import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { changesOf, countPending, deliveriesOf } from "../harness/outbox.ts";
import { eventually } from "../postgres/processes.ts";

const stage = useDeliveryStage();

const disable = (id: string) =>
  stage.db.sql(
    "update webhook_endpoints set enabled = false, disabled_reason = 'requested', disabled_at = now(), version = version + 1 where id = $1",
    [id],
  );

async function heartbeat(): Promise<number> {
  const [row] = await stage.db.sql<{ beat: number }>(
    "select extract(epoch from max(alive_until))::float8 as beat from webhook_workers",
  );
  return row?.beat ?? 0;
}

async function laneOf(id: string) {
  const [row] = await stage.db.sql<{ owner: string | null; epoch: number }>(
    "select owner, epoch from webhook_lanes where endpoint_id = $1",
    [id],
  );
  return row;
}

test("what is already read for an endpoint is not sent once the endpoint is disabled, and kept", async () => {
  const endpoint = await stage.newEndpoint("/disabled", { max_in_flight: 1 });
  let open: ServerResponse | null = null;
  stage.receiver.answer("/disabled", (response) => {
    open = response;
  });
  await stage.publish(changesOf(3, ["a"]), { endpoints: [endpoint.id] });
  stage.start();
  const response = await eventually("a request to be in flight", () => open);
  await disable(endpoint.id);
  // A heartbeat that begins after the change has noticed it once the next one begins.
  for (let beats = 0; beats < 2; beats += 1) {
    const before = await heartbeat();
    await eventually("a heartbeat", async () => (await heartbeat()) > before || null);
  }
  (response as ServerResponse).writeHead(200).end();
  await eventually("the endpoint to be given back", async () => (await laneOf(endpoint.id))?.owner === null || null);
  expect(stage.receiver.at("/disabled")).toHaveLength(1);
  const statuses = (await deliveriesOf(stage.db.sql, endpoint.id)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(["pending", "pending", "succeeded"]);
});

test("an endpoint that is disabled is not leased, whatever waits for it", async () => {
  const [off, on] = [await stage.newEndpoint("/off"), await stage.newEndpoint("/on")];
  await disable(off.id);
  await stage.publish(changesOf(2, ["a"]), { endpoints: [off.id, on.id] });
  stage.start();
  // One statement leases all endpoints of a partner that are due.
  await eventually("the other endpoint to get its own", async () => (await countPending(stage.db.sql, [on.id])) === 0 || null);
  expect(await laneOf(off.id)).toEqual({ owner: null, epoch: 0 });
  expect(stage.receiver.at("/off")).toEqual([]);
});
