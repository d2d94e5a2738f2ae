import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Flusher } from "../../src/features/outbox/webhooks/delivery/flusher.ts";
import { writeHealth } from "../../src/features/outbox/webhooks/delivery/health.ts";
import type { Lane } from "../../src/features/outbox/webhooks/delivery/lane.ts";
import { announceWorker, livingWorkers } from "../../src/features/outbox/webhooks/delivery/lanes.queries.ts";
import { Leases } from "../../src/features/outbox/webhooks/delivery/leases.ts";
import { DELIVERY_OPTIONS } from "../../src/features/outbox/webhooks/delivery/options.ts";
import { finishDeliveries } from "../../src/features/outbox/webhooks/delivery/queries.ts";
import type { Delivery } from "../../src/features/outbox/webhooks/delivery/queue.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { chooseWorker } from "../../src/platform/delivery/rendezvous.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { useHolds } from "../harness/holds.ts";
import { changesOf, countPending, deliveriesOf } from "../harness/outbox.ts";
import { eventually } from "../postgres/processes.ts";

const stage = useDeliveryStage();
const hold = useHolds(() => stage.db.connect());
let db: Database;
beforeAll(() => {
  db = openDatabase(stage.db.service, 6);
});
afterAll(() => db.close());

async function newLeases(tick = () => performance.now()): Promise<Leases> {
  const { clock, sealer } = stage;
  const options = { ...DELIVERY_OPTIONS, lease_ms: 60_000 };
  const leases = new Leases({ db, clock, sealer, options, tick });
  await leases.renew();
  return leases;
}

async function dueAtNewPartner() {
  const partner_id = await stage.newPartner();
  const { id } = await stage.newEndpoint("/leased", { partner_id });
  return { partner_id, endpoint_id: id, next_at: stage.clock.now(), replayed: false };
}

test("a worker that polls all partners and one of them at the same time leases its endpoint once", async () => {
  const due = await Promise.all(Array.from({ length: 12 }, dueAtNewPartner));
  const leases = await newLeases();
  await Promise.all([leases.acquire(due), leases.acquire(due.slice(-1))]);
  for (const { partner_id, endpoint_id } of due) {
    const [row] = await stage.db.sql<{ epoch: number }>("select epoch from webhook_lanes where endpoint_id = $1", [endpoint_id]);
    expect([...leases.of(partner_id)].map(({ epoch, lost }) => ({ epoch, lost }))).toEqual([{ epoch: row?.epoch, lost: false }]);
    expect(row?.epoch).toBe(1);
  }
  await leases.releaseAll();
});

test("an outcome counts as written only under the lease that it was made under", async () => {
  const due = await dueAtNewPartner();
  const { partner_id, endpoint_id } = due;
  const [first, second] = await stage.publish(changesOf(2, ["a"]), { partner_id, endpoints: [endpoint_id] });
  const leases = await newLeases();
  const [lane] = await leases.acquire([due]);
  if (lane === undefined) throw new Error("the endpoint was not leased");
  const written: [number, boolean][] = [];
  const flusher = new Flusher({
    db,
    options: DELIVERY_OPTIONS,
    worker: () => leases.worker,
    onWritten: (finished, leased) => written.push([finished.lane.epoch, leased]),
    report: (error) => expect.unreachable(String(error)),
  });
  const deliveries = await deliveriesOf(stage.db.sql, endpoint_id);
  const finish = (lease: Pick<Lane, "partner_id" | "endpoint_id" | "epoch">, event_id: string | undefined) => {
    const id = deliveries.find((delivery) => delivery.event_id === event_id)?.id ?? "";
    const now = stage.clock.now();
    const ended = { status: "succeeded", next_at: now, started_at: now, duration_ms: 1, response_status: 200 } as const;
    const outcome = { endpoint_id, epoch: lease.epoch, id, ...ended, error: null, response: null, request_headers: null };
    flusher.add({ lane: lease as Lane, delivery: { id } as Delivery, outcome });
  };
  finish({ partner_id, endpoint_id, epoch: lane.epoch - 1 }, first?.id);
  finish(lane, second?.id);
  await flusher.flush();
  expect(written).toEqual([
    [lane.epoch - 1, false],
    [lane.epoch, true],
  ]);
  const after = await deliveriesOf(stage.db.sql, endpoint_id);
  expect(new Map(after.map(({ event_id, status }) => [event_id, status]))).toEqual(
    new Map([
      [first?.id, "pending"],
      [second?.id, "succeeded"],
    ]),
  );
  await leases.releaseAll();
});

test("when a lease lapses another worker takes the endpoint, and the first can write neither outcomes nor health", async () => {
  const due = await Promise.all(Array.from({ length: 12 }, dueAtNewPartner));
  const first = await newLeases();
  const lanes = await first.acquire(due);
  let shift_ms = 0;
  const second = await newLeases(() => performance.now() + shift_ms);
  // Only what rendezvous hashing assigns to the second may it want at all.
  const wanted = due.filter(({ endpoint_id }) => chooseWorker(endpoint_id, [first.worker, second.worker]) === second.worker);
  expect(wanted).not.toEqual([]);
  expect(await second.acquire(wanted)).toEqual([]);
  await stage.db.sql("update webhook_workers set alive_until = now() - interval '2 seconds' where id = $1", [first.worker]);
  shift_ms = 10_000;
  const [lane] = await second.acquire(wanted);
  const lost = lanes.find(({ endpoint_id }) => endpoint_id === lane?.endpoint_id);
  if (lane === undefined || lost === undefined) throw new Error("the endpoint was not taken over");
  expect([lost.epoch, lane.epoch]).toEqual([1, 2]);

  const { partner_id, endpoint_id } = lane;
  await stage.publish(changesOf(1, ["a"]), { partner_id, endpoints: [endpoint_id] });
  const [delivery] = await deliveriesOf(stage.db.sql, endpoint_id);
  const now = stage.clock.now();
  // Under the old epoch by either worker, and under the new one by the first, nothing is written.
  for (const [worker, epoch] of [
    [first.worker, 1],
    [second.worker, 1],
    [first.worker, 2],
  ] as const) {
    const ended = { status: "failed", next_at: now, started_at: now, duration_ms: 1, response_status: 500 } as const;
    const outcome = { endpoint_id, epoch, id: delivery?.id ?? "", ...ended, error: null, response: null, request_headers: null };
    expect(await finishDeliveries(db, partner_id, worker, [outcome])).toEqual([]);
  }
  expect(await deliveriesOf(stage.db.sql, endpoint_id)).toMatchObject([{ status: "pending", attempts: 0 }]);
  lost.noteAnswer(false, now);
  await writeHealth(db, first.worker, [lost]);
  expect(await stage.db.sql("select failures, owner from webhook_lanes where endpoint_id = $1", [endpoint_id])).toEqual([
    { failures: 0, owner: second.worker },
  ]);

  const before = first.worker;
  await first.renew();
  expect([first.worker === before, first.lanes.size, lost.lost]).toEqual([false, 0, true]);
  for (const leases of [first, second]) await leases.releaseAll();
});

test("a worker that cannot renew its leases sends nothing once they may have lapsed", async () => {
  const endpoint = await stage.newEndpoint("/lapsed", { max_in_flight: 1 });
  let open: ServerResponse | null = null;
  stage.receiver.answer("/lapsed", (response) => {
    if (open === null) open = response;
    else response.writeHead(200).end();
  });
  await stage.publish(changesOf(2, ["a"]), { endpoints: [endpoint.id] });
  stage.start({ options: { lease_ms: 5_000 } });
  const response = await eventually("a request to be in flight", () => open);
  const held = await hold("select from webhook_workers for update");
  await eventually("the lease to lapse", async () => {
    const alive = await stage.db.sql("select 1 from webhook_workers where alive_until > now()");
    return alive.length === 0 || null;
  });
  (response as ServerResponse).writeHead(200).end();
  await eventually("the outcome to be written", async () => (await countPending(stage.db.sql, [endpoint.id])) === 1 || null);
  await sleep(200);
  expect(stage.receiver.at("/lapsed")).toHaveLength(1);
  await held.release();
  await eventually("the rest to be sent", async () => (await countPending(stage.db.sql, [endpoint.id])) === 0 || null);
});

test("a worker that did not learn that it was announced can be announced again", async () => {
  await announceWorker(db, "worker", 1);
  await announceWorker(db, "worker", 60);
  expect(await livingWorkers(db)).toContain("worker");
  const [row] = await stage.db.sql<{ long: boolean }>(
    "select alive_until > now() + interval '30 seconds' as long from webhook_workers where id = 'worker'",
  );
  expect(row?.long).toBe(true);
  await stage.db.sql("delete from webhook_workers where id = 'worker'");
});
