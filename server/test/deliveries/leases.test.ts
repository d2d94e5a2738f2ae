import { afterAll, beforeAll, expect, test } from "vitest";
import { Flusher } from "../../src/features/outbox/webhooks/delivery/flusher.ts";
import type { Lane } from "../../src/features/outbox/webhooks/delivery/lane.ts";
import { announceWorker, livingWorkers } from "../../src/features/outbox/webhooks/delivery/lanes.queries.ts";
import { Leases } from "../../src/features/outbox/webhooks/delivery/leases.ts";
import { DELIVERY_OPTIONS } from "../../src/features/outbox/webhooks/delivery/options.ts";
import type { Delivery } from "../../src/features/outbox/webhooks/delivery/queue.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { changesOf, deliveriesOf } from "../harness/outbox.ts";

const stage = useDeliveryStage();
let db: Database;
beforeAll(() => {
  db = openDatabase(stage.db.service, 6);
});
afterAll(() => db.close());

async function newLeases(): Promise<Leases> {
  const { clock, sealer } = stage;
  const options = { ...DELIVERY_OPTIONS, lease_ms: 60_000 };
  const leases = new Leases({ db, clock, sealer, options, tick: () => performance.now() });
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
    const outcome = { endpoint_id, epoch: lease.epoch, id, ...ended, error: null, response: null };
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
