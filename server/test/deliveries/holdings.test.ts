import { afterAll, beforeAll, expect, test } from "vitest";
import { Flusher } from "../../src/features/outbox/webhooks/delivery/flusher.ts";
import { Holdings } from "../../src/features/outbox/webhooks/delivery/holdings.ts";
import type { Delivery, Lane } from "../../src/features/outbox/webhooks/delivery/lane.ts";
import { announceWorker, livingWorkers } from "../../src/features/outbox/webhooks/delivery/lanes.queries.ts";
import { DELIVERY_OPTIONS } from "../../src/features/outbox/webhooks/delivery/options.ts";
import { type Database, openDatabase } from "../../src/platform/db/database.ts";
import { useDeliveryStage } from "../harness/delivery-stage.ts";
import { changesOf, deliveriesOf } from "../harness/outbox.ts";

const stage = useDeliveryStage();
let db: Database;
beforeAll(() => {
  db = openDatabase(stage.db.service, 6);
});
afterAll(() => db.close());

async function newHoldings(): Promise<Holdings> {
  const { clock, sealer } = stage;
  const options = { ...DELIVERY_OPTIONS, lease_ms: 60_000 };
  const holdings = new Holdings({ db, clock, sealer, options, tick: () => performance.now() });
  await holdings.beat();
  return holdings;
}

async function dueAtNewPartner() {
  const partner_id = await stage.newPartner();
  const { id } = await stage.newEndpoint("/held", { partner_id });
  return { partner_id, endpoint_id: id, next_at: stage.clock.now(), replayed: false };
}

test("a worker that looks at all partners and at one of them meanwhile holds its endpoint once", async () => {
  const due = await Promise.all(Array.from({ length: 12 }, dueAtNewPartner));
  const holdings = await newHoldings();
  await Promise.all([holdings.take(due), holdings.take(due.slice(-1))]);
  for (const { partner_id, endpoint_id } of due) {
    const [row] = await stage.db.sql<{ epoch: number }>("select epoch from webhook_lanes where endpoint_id = $1", [endpoint_id]);
    expect([...holdings.of(partner_id)].map(({ epoch, lost }) => ({ epoch, lost }))).toEqual([
      { epoch: row?.epoch, lost: false },
    ]);
    expect(row?.epoch).toBe(1);
  }
  await holdings.releaseAll();
});

test("an outcome counts as written only for the holding that it was made under", async () => {
  const due = await dueAtNewPartner();
  const { partner_id, endpoint_id } = due;
  const [first, second] = await stage.publish(changesOf(2, ["a"]), { partner_id, endpoints: [endpoint_id] });
  const holdings = await newHoldings();
  const [lane] = await holdings.take([due]);
  if (lane === undefined) throw new Error("the endpoint was not taken");
  const settled: [number, boolean][] = [];
  const flusher = new Flusher({
    db,
    options: DELIVERY_OPTIONS,
    worker: () => holdings.worker,
    settled: (finished, held) => settled.push([finished.lane.epoch, held]),
    report: (error) => expect.unreachable(String(error)),
  });
  const deliveries = await deliveriesOf(stage.db.sql, endpoint_id);
  const finish = (held: Pick<Lane, "partner_id" | "endpoint_id" | "epoch">, event_id: string | undefined) => {
    const id = deliveries.find((delivery) => delivery.event_id === event_id)?.id ?? "";
    const now = stage.clock.now();
    const ended = { status: "succeeded", next_at: now, started_at: now, duration_ms: 1, response_status: 200 } as const;
    const outcome = { endpoint_id, epoch: held.epoch, id, ...ended, error: null, response: null };
    flusher.add({ lane: held as Lane, delivery: { id } as Delivery, outcome });
  };
  finish({ partner_id, endpoint_id, epoch: lane.epoch - 1 }, first?.id);
  finish(lane, second?.id);
  await flusher.flush();
  expect(settled).toEqual([
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
  await holdings.releaseAll();
});

test("a worker that does not learn that it was announced can be announced again", async () => {
  await announceWorker(db, "worker", 1);
  await announceWorker(db, "worker", 60);
  expect(await livingWorkers(db)).toContain("worker");
  const [row] = await stage.db.sql<{ long: boolean }>(
    "select alive_until > now() + interval '30 seconds' as long from webhook_workers where id = 'worker'",
  );
  expect(row?.long).toBe(true);
  await stage.db.sql("delete from webhook_workers where id = 'worker'");
});
