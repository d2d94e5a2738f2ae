import { expect, test } from "vitest";
import { headersPurpose, signatureHeaders } from "../../src/platform/crypto/webhook-signature.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { attemptsOf, changesOf, countPending, deliveriesOf } from "../harness/outbox.ts";
import { eventually } from "../postgres/processes.ts";

const stage = useDeliveryStage();

function untilDone(...endpoints: { id: string }[]): Promise<unknown> {
  const ids = endpoints.map(({ id }) => id);
  return eventually("all deliveries to be done", async () => (await countPending(stage.db.sql, ids)) === 0 || null, 120_000);
}

test("a delivery carries the stored bytes, its signatures and what it is", async () => {
  const endpoint = await stage.newEndpoint("/one");
  const [event] = await stage.publish(changesOf(1, ["cli_1"]), { endpoints: [endpoint.id] });
  stage.start();
  await untilDone(endpoint);
  const [received] = stage.receiver.at("/one");
  const [stored] = await stage.db.sql<{ body: Buffer }>("select body from events where id = $1", [event?.id]);
  expect(received?.body).toEqual(stored?.body);
  const [delivery] = await deliveriesOf(stage.db.sql, endpoint.id);
  expect(received?.headers).toMatchObject({
    "content-type": "application/json",
    "accept-encoding": "identity",
    "x-service-event-type": "client.created",
    "x-service-delivery-id": delivery?.id,
    "x-service-attempt": "1",
  });
  const at_seconds = Number(received?.headers["webhook-timestamp"]);
  const signed = signatureHeaders({
    brand: "service",
    event_id: event?.id ?? "",
    secrets: [endpoint.secret],
    body: stored?.body ?? Buffer.of(),
    at_seconds,
  });
  for (const [name, value] of Object.entries(signed)) expect(received?.headers[name.toLowerCase()]).toBe(value);
  expect(delivery).toMatchObject({ status: "succeeded", attempts: 1, response_status: 204, error: null });
  expect(await attemptsOf(stage.db.sql, endpoint.id)).toMatchObject([{ number: 1, status: 204, error: null, response: null }]);
});

test("an attempt is logged with the headers that it was sent with, but for the values of the endpoint's own", async () => {
  const endpoint = await stage.newEndpoint("/headers");
  const own = stage.sealer.seal(JSON.stringify({ "X-Api-Key": "hunter2" }), headersPurpose(endpoint.id));
  await stage.db.sql("update webhook_endpoints set headers = $2 where id = $1", [endpoint.id, own]);
  await stage.publish(changesOf(1, ["cli_1"]), { endpoints: [endpoint.id] });
  stage.start();
  await untilDone(endpoint);
  const [received] = stage.receiver.at("/headers");
  expect(received?.headers["x-api-key"]).toBe("hunter2");
  const [attempt] = await attemptsOf(stage.db.sql, endpoint.id);
  const { "X-Api-Key": redacted, ...sent } = attempt?.request_headers ?? {};
  expect(redacted).toBe("redacted");
  const { host: _, connection: __, "content-length": ___, "x-api-key": ____, ...seen } = received?.headers ?? {};
  expect(Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]))).toEqual(seen);
});

test("every event reaches every endpoint once, whatever the number, where no attempt fails and no lease is lost", async () => {
  const endpoints = await Promise.all(
    Array.from({ length: 8 }, (_, index) => stage.newEndpoint(`/many/${index}`, { timeout_ms: 30_000 })),
  );
  const events = await stage.publish(changesOf(1_000, ["cli_1", "cli_2"]), { endpoints: endpoints.map(({ id }) => id) });
  // A busy machine loses a lease of seconds, and what was under way is sent again.
  stage.start({ options: { lease_ms: 600_000, connect_timeout_ms: 600_000 } });
  await untilDone(...endpoints);
  for (const [index] of endpoints.entries()) {
    const ids = stage.receiver.at(`/many/${index}`).map(({ event_id }) => event_id);
    expect(ids.length).toBe(events.length);
    expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
  }
}, 150_000);
