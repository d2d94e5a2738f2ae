import { expect, test } from "vitest";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { attemptsOf, changesOf, countPending, deliveriesOf } from "../harness/outbox.ts";
import { status } from "../harness/receiver.ts";
import { eventually } from "../postgres/processes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const QUICK = [10, 10, 10];
/** A breaker that these tests do not mean to trip. */
const NO_CIRCUIT = { window_ms: 300_000, attempts_min: 1_000_000, failed_share: 1, probe_first_ms: 1, probe_max_ms: 1 };

const stage = useDeliveryStage();

type LaneRow = { state: string; failures: number; probes: number; probe_at: Date | null; owner: string | null };
type EndpointRow = { enabled: boolean; disabled_reason: string | null };

async function laneOf(id: string): Promise<LaneRow> {
  const [row] = await stage.db.sql<LaneRow>("select * from webhook_lanes where endpoint_id = $1", [id]);
  if (row === undefined) throw new Error("the endpoint has no lane");
  return row;
}

async function endpointOf(id: string): Promise<EndpointRow> {
  const [row] = await stage.db.sql<EndpointRow>("select enabled, disabled_reason from webhook_endpoints where id = $1", [id]);
  if (row === undefined) throw new Error("the endpoint is gone");
  return row;
}

const untilDone = (id: string) =>
  eventually("all deliveries to be done", async () => (await countPending(stage.db.sql, [id])) === 0 || null);

test("a delivery that keeps failing is tried as often as the schedule says, and then given up", async () => {
  const endpoint = await stage.newEndpoint("/fails");
  stage.receiver.answer("/fails", status(404, {}, "no such page\0"));
  await stage.publish(changesOf(1, ["a"]), { endpoints: [endpoint.id] });
  stage.start({ options: { retry_delays_ms: QUICK } });
  await untilDone(endpoint.id);
  const [delivery] = await deliveriesOf(stage.db.sql, endpoint.id);
  expect(delivery).toMatchObject({ status: "failed", attempts: 4, response_status: 404, error: "the endpoint answered 404" });
  const attempts = await attemptsOf(stage.db.sql, endpoint.id);
  expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  expect(attempts[0]).toMatchObject({ status: 404, response: "no such page\u{fffd}" });
  expect(stage.receiver.at("/fails").map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "2", "3", "4"]);
});

test("the same event id comes with every attempt, and the first success ends them", async () => {
  const endpoint = await stage.newEndpoint("/recovers");
  stage.receiver.answer("/recovers", (response) =>
    response.writeHead(stage.receiver.at("/recovers").length < 3 ? 500 : 200).end(),
  );
  const [event] = await stage.publish(changesOf(1, ["a"]), { endpoints: [endpoint.id] });
  stage.start({ options: { retry_delays_ms: QUICK } });
  await untilDone(endpoint.id);
  expect(stage.receiver.at("/recovers").map(({ event_id }) => event_id)).toEqual([event?.id, event?.id, event?.id]);
  expect((await deliveriesOf(stage.db.sql, endpoint.id))[0]).toMatchObject({ status: "succeeded", attempts: 3, error: null });
});

test("a redirect is a failure and is not followed", async () => {
  const endpoint = await stage.newEndpoint("/moved");
  stage.receiver.answer("/moved", status(302, { location: "/elsewhere" }));
  await stage.publish(changesOf(1, ["a"]), { endpoints: [endpoint.id] });
  stage.start({ options: { retry_delays_ms: [] } });
  await untilDone(endpoint.id);
  expect((await deliveriesOf(stage.db.sql, endpoint.id))[0]).toMatchObject({
    status: "failed",
    error: "the endpoint answered 302",
  });
  expect(stage.receiver.at("/elsewhere")).toEqual([]);
});

test.each([
  ["7200", 2 * HOUR_MS],
  ["1", 5_000],
  ["999999", 6 * HOUR_MS],
])("Retry-After: %s is honoured between the schedule's delay and six hours", async (header, expected_ms) => {
  const path = `/retry-after/${header}`;
  const endpoint = await stage.newEndpoint(path);
  stage.receiver.answer(path, status(429, { "retry-after": header }));
  await stage.publish(changesOf(1, ["a"]), { endpoints: [endpoint.id] });
  stage.start();
  const attempted = await eventually("an attempt", async () => {
    const [delivery] = await deliveriesOf(stage.db.sql, endpoint.id);
    return delivery?.attempts === 1 ? delivery : null;
  });
  const [received] = stage.receiver.at(path);
  const delay_ms = attempted.next_at.getTime() - (received?.at_ms ?? 0) - (stage.clock.now().getTime() - Date.now());
  const scheduled = expected_ms === 5_000;
  expect(delay_ms).toBeGreaterThan(scheduled ? 3_500 : expected_ms - 30_000);
  expect(delay_ms).toBeLessThan(scheduled ? 40_000 : expected_ms + 30_000);
});

test("410 disables the endpoint at once, keeps what waits, and leaves a notice in the audit log", async () => {
  const endpoint = await stage.newEndpoint("/gone", { max_in_flight: 1 });
  stage.receiver.answer("/gone", status(410));
  await stage.publish(changesOf(5, ["a"]), { endpoints: [endpoint.id] });
  stage.start();
  await eventually("the endpoint to be disabled", async () => !(await endpointOf(endpoint.id)).enabled || null);
  expect(await endpointOf(endpoint.id)).toEqual({ enabled: false, disabled_reason: "gone" });
  await eventually("the lane to be given back", async () => (await laneOf(endpoint.id)).owner === null || null);
  const waiting = await countPending(stage.db.sql, [endpoint.id]);
  expect(waiting).toBe(5);
  expect(stage.receiver.at("/gone").length).toBeLessThanOrEqual(2);
  const entries = await stage.db.sql<{ body: string }>(
    "select convert_from(body, 'UTF8') as body from audit_entries where action = 'webhooks.disable' and partner_id = $1",
    [stage.partner_id],
  );
  const [entry] = entries.map(({ body }) => JSON.parse(body)).filter(({ target }) => target === endpoint.id);
  expect(entry).toMatchObject({ actor: { type: "system" }, changes: { disabled_reason: { from: null, to: "gone" } } });
});

test.each([0, 300])("410 from an address that was changed %i ms before does not disable the new one", async (ago_ms) => {
  const endpoint = await stage.newEndpoint(`/left/${ago_ms}`);
  stage.receiver.answer(`/left/${ago_ms}`, async (response) => {
    await stage.db.sql("update webhook_endpoints set url = $2, version = version + 1 where id = $1", [
      endpoint.id,
      `${stage.receiver.origin}/found/${ago_ms}`,
    ]);
    setTimeout(() => response.writeHead(410).end(), ago_ms);
  });
  await stage.publish(changesOf(1, ["a"]), { endpoints: [endpoint.id] });
  stage.start({ options: { retry_delays_ms: [2_500, 10] } });
  await untilDone(endpoint.id);
  expect(await endpointOf(endpoint.id)).toEqual({ enabled: true, disabled_reason: null });
  expect(stage.receiver.at(`/left/${ago_ms}`)).toHaveLength(1);
  expect(stage.receiver.at(`/found/${ago_ms}`)).toHaveLength(1);
});

test("an endpoint that only fails is parked, probed ever more rarely, and slowly started when it answers again", async () => {
  const endpoint = await stage.newEndpoint("/parked");
  let healthy = false;
  let under_way = 0;
  const seen: number[] = [];
  stage.receiver.answer("/parked", (response) => {
    under_way += 1;
    seen.push(under_way);
    setTimeout(() => {
      under_way -= 1;
      response.writeHead(healthy ? 200 : 503).end();
    }, 20);
  });
  await stage.publish(changesOf(60, ["a", "b", "c"]), { endpoints: [endpoint.id] });
  stage.start();
  await eventually("the endpoint to be degraded", async () => (await laneOf(endpoint.id)).state === "degraded" || null);
  await eventually("nothing to be under way", () => under_way === 0 || null);
  const before = seen.length;
  expect(before).toBeLessThan(20);
  expect(await countPending(stage.db.sql, [endpoint.id])).toBe(60);

  for (const [probe, wait_ms] of [30_000, 60_000, 120_000].entries()) {
    expect(seen.length).toBe(before + probe);
    stage.clock.advance(wait_ms);
    await eventually("a probe", async () => (await laneOf(endpoint.id)).probes === probe + 1 || null);
    expect(seen.length).toBe(before + probe + 1);
  }
  healthy = true;
  seen.splice(0);
  stage.clock.advance(240_000);
  await eventually("all that was parked to arrive", async () => {
    stage.clock.advance(1_000);
    return (await countPending(stage.db.sql, [endpoint.id])) === 0 || null;
  });
  for (const [requests, at_once] of [
    [2, 1],
    [4, 2],
    [8, 4],
  ])
    expect(Math.max(...seen.slice(0, requests))).toBeLessThanOrEqual(at_once ?? 0);
  expect(Math.max(...seen)).toBeGreaterThan(4);
  expect((await laneOf(endpoint.id)).state).toBe("healthy");
});

test("after five days of nothing but failures an endpoint is disabled, with a notice", async () => {
  const endpoint = await stage.newEndpoint("/failing");
  stage.receiver.answer("/failing", status(500));
  stage.start({ options: { circuit: NO_CIRCUIT } });
  const publish = (count: number) => stage.publish(changesOf(count, ["a"]), { endpoints: [endpoint.id] });
  await publish(25);
  await eventually("25 failures", async () => (await laneOf(endpoint.id)).failures >= 25 || null);
  stage.clock.advance(4 * DAY_MS);
  await publish(1);
  await eventually("another failure", async () => (await laneOf(endpoint.id)).failures >= 26 || null);
  expect(await endpointOf(endpoint.id)).toEqual({ enabled: true, disabled_reason: null });
  stage.clock.advance(DAY_MS + MINUTE_MS);
  await publish(1);
  await eventually("the endpoint to be disabled", async () => !(await endpointOf(endpoint.id)).enabled || null);
  expect(await endpointOf(endpoint.id)).toEqual({ enabled: false, disabled_reason: "failing" });
  const entries = await stage.db.sql<{ body: string }>(
    "select convert_from(body, 'UTF8') as body from audit_entries where action = 'webhooks.disable'",
  );
  expect(entries.map(({ body }) => JSON.parse(body).target)).toContain(endpoint.id);
});

test("an endpoint gets no more requests a second than its limit", async () => {
  const endpoint = await stage.newEndpoint("/limited", { rate_limit_per_second: 20 });
  const other = await stage.newEndpoint("/unlimited");
  await stage.publish(changesOf(40, ["a"]), { endpoints: [endpoint.id, other.id] });
  const begun_ms = Date.now();
  stage.start();
  await untilDone(endpoint.id);
  const times = stage.receiver.at("/limited").map(({ at_ms }) => at_ms - begun_ms);
  expect(times).toHaveLength(40);
  // Since the start, which no delay on the road can shorten; the pacer's own test has every second. One is what a late timer makes up.
  for (const [before, at_ms] of times.entries()) expect(before).toBeLessThanOrEqual((at_ms * 20) / 1_000 + 1);
});

test("a stop lets what is under way finish, writes it, and gives the endpoints back", async () => {
  const endpoint = await stage.newEndpoint("/slow-stop");
  const stopping = Promise.withResolvers<void>();
  stage.receiver.answer("/slow-stop", (response) => void stopping.promise.then(() => response.writeHead(200).end()));
  await stage.publish(changesOf(30, ["a"]), { endpoints: [endpoint.id] });
  const engine = stage.start();
  await eventually("requests to be under way", () => stage.receiver.at("/slow-stop").length >= 4 || null);
  const stopped = engine.stop();
  stopping.resolve();
  await stopped;
  const received = stage.receiver.at("/slow-stop").length;
  const done = (await deliveriesOf(stage.db.sql, endpoint.id)).filter(({ status }) => status === "succeeded");
  expect(done).toHaveLength(received);
  expect(received).toBeLessThan(30);
  expect((await laneOf(endpoint.id)).owner).toBeNull();
  expect(await stage.db.sql("select 1 from webhook_workers where alive_until > now() + interval '2 seconds'")).toEqual([]);
});
